#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bindings.hpp"
#include "word_counter.hpp"
#include "wordpiece.hpp"
#include "words.hpp"

namespace nb = nanobind;

namespace cmow {

namespace {

template <class Number>
using Array = nb::ndarray<nb::numpy, Number, nb::ndim<1>>;

// A NumPy array that owns the numbers, without a copy.
template <class Number>
Array<Number> to_array(std::vector<Number> numbers) {
    auto kept = std::make_unique<std::vector<Number>>(std::move(numbers));
    Number *data = kept->data();
    const size_t size = kept->size();
    nb::capsule owner(kept.release(), [](void *vector) noexcept {
        delete static_cast<std::vector<Number> *>(vector);
    });
    return Array<Number>(data, {size}, owner);
}

[[noreturn]] void raise(PyObject *type, const std::string &message) {
    PyErr_SetString(type, message.c_str());
    throw nb::python_error();
}

// The name of an object's type, with its module if it is an extension's: int, Word, numpy.int64.
std::string type_of(nb::handle object) {
    const nb::handle type = object.type();
    const auto name = nb::cast<std::string>(type.attr("__name__"));
    if (PyType_GetFlags(reinterpret_cast<PyTypeObject *>(type.ptr())) & Py_TPFLAGS_HEAPTYPE)
        return name;
    const auto module = nb::cast<std::string>(type.attr("__module__"));
    return module == "builtins" ? name : module + "." + name;
}

bool is_iterable(nb::handle object) {
    return PyType_GetSlot(Py_TYPE(object.ptr()), Py_tp_iter) || PySequence_Check(object.ptr());
}

// Python strings as views of their UTF-8, valid without the GIL as long as this lives.
class Texts {
  public:
    Texts(nb::object texts, const std::string &name) {
        if (nb::isinstance<nb::str>(texts))
            raise(PyExc_TypeError, name + " is one str: pass a list of them, [text]");
        if (!is_iterable(texts))
            raise(PyExc_TypeError, name + " is " + type_of(texts) + ", not a list of str");
        held_ = nb::tuple(texts);
        views_.reserve(held_.size());
        for (nb::handle text : held_) add(text, name);
    }

    const nb::tuple &tuple() const { return held_; }
    const std::vector<std::string_view> &views() const { return views_; }

  private:
    void add(nb::handle text, const std::string &name) {
        const auto item = [&] { return name + "[" + std::to_string(views_.size()) + "]"; };
        if (!PyUnicode_Check(text.ptr()))
            raise(PyExc_TypeError, item() + " is " + type_of(text) + ", not str");
        Py_ssize_t size = 0;
        const char *bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
        if (!bytes && !PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) throw nb::python_error();
        if (!bytes)
            raise(PyExc_ValueError, item() +
                                        " holds a lone surrogate, which is no character: mend "
                                        "it with text.encode('utf-8', 'replace').decode()");
        views_.emplace_back(bytes, static_cast<size_t>(size));
    }

    nb::tuple held_;
    std::vector<std::string_view> views_;
};

// The bytes of any object with a buffer, held as long as this lives.
class Block {
  public:
    explicit Block(nb::handle object) {
        if (PyObject_GetBuffer(object.ptr(), &buffer_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    }
    ~Block() { PyBuffer_Release(&buffer_); }
    Block(const Block &) = delete;
    Block &operator=(const Block &) = delete;

    std::string_view bytes() const {
        return {static_cast<const char *>(buffer_.buf), static_cast<size_t>(buffer_.len)};
    }

  private:
    Py_buffer buffer_;
};

Splitter make_splitter(const std::string &kind, bool lowercase) {
    if (kind == "whitespace") return {Kind::WHITESPACE, lowercase};
    if (kind == "words") return {Kind::WORDS, lowercase};
    raise(PyExc_ValueError, "kind is '" + kind + "': choose 'whitespace' or 'words'");
}

nb::tuple to_tuple(RaggedIds ids) {
    return nb::make_tuple(to_array(std::move(ids.flat)), to_array(std::move(ids.offsets)),
                          ids.discarded);
}

template <class Tokenizer>
nb::tuple ids(const Tokenizer &tokenizer, nb::object texts, int threads) {
    const Texts held(texts, "texts");
    RaggedIds ids;
    {
        nb::gil_scoped_release release;
        ids = ids_of_texts(tokenizer, held.views(), threads);
    }
    return to_tuple(std::move(ids));
}

template <class Tokenizer>
nb::tuple ids_by_line(const Tokenizer &tokenizer, nb::object block) {
    const Block held(block);
    RaggedIds ids;
    {
        nb::gil_scoped_release release;
        ids = ids_of_lines(tokenizer, held.bytes());
    }
    return to_tuple(std::move(ids));
}

nb::list split(const Words &words, nb::object texts) {
    const Texts held(texts, "texts");
    std::string scratch;
    nb::list all;
    for (std::string_view text : held.views()) {
        nb::list tokens;
        words.splitter().split(text, scratch, [&](std::string_view token) {
            tokens.append(nb::str(token.data(), token.size()));
        });
        all.append(tokens);
    }
    return all;
}

void make_word_piece(WordPiece *self, nb::object pieces, int32_t unknown, const std::string &prefix,
                     int64_t longest_word, nb::object added, std::vector<int32_t> added_ids,
                     bool clean, bool space_chinese, bool strip_accents, bool lowercase,
                     bool split_punctuation) {
    const Texts held(pieces, "pieces"), held_added(added, "added");
    if (held_added.views().size() != added_ids.size())
        raise(PyExc_ValueError, "added_ids has not an id for each added token");
    const BertSplitter splitter(
        {clean, space_chinese, strip_accents, lowercase, split_punctuation});
    new (self) WordPiece(splitter, held.views(), {unknown, prefix, longest_word},
                         {held_added.views(), std::move(added_ids)});
}

nb::list all_ids(const WordPiece &pieces, nb::object texts) {
    const Texts held(texts, "texts");
    std::string scratch;
    nb::list all;
    for (std::string_view text : held.views()) {
        std::vector<int32_t> ids;
        pieces.tokenize(text, scratch, ids);
        all.append(nb::cast(ids));
    }
    return all;
}

void add_lines(WordCounter &counter, nb::object block) {
    const Block held(block);
    nb::gil_scoped_release release;
    counter.add_lines(held.bytes());
}

nb::tuple most_common(const WordCounter &counter, std::optional<int64_t> size,
                      int64_t minimum_count) {
    std::vector<std::pair<std::string, int64_t>> common;
    {
        nb::gil_scoped_release release;
        const int64_t all = std::numeric_limits<int64_t>::max();
        common = counter.most_common(size.value_or(all), minimum_count);
    }
    nb::list words;
    std::vector<int64_t> counts;
    for (const auto &[word, count] : common) {
        words.append(nb::str(word.data(), word.size()));
        counts.push_back(count);
    }
    return nb::make_tuple(words, to_array(std::move(counts)));
}

}  // namespace

void bind_words(nb::module_ &module) {
    module.def(
        "checked_texts", [](nb::object texts) { return Texts(texts, "texts").tuple(); },
        nb::arg("texts").none(), "The texts as a tuple, if each is a str of characters.");
    nb::class_<Words>(module, "Words", "Splits texts and looks their words up.")
        .def(
            "__init__",
            [](Words *self, const std::string &kind, bool lowercase, nb::object words) {
                new (self) Words(make_splitter(kind, lowercase), Texts(words, "words").views());
            },
            nb::arg("kind"), nb::arg("lowercase"), nb::arg("words"))
        .def("split", &split, nb::arg("texts").none(), "The tokens of each text.")
        .def("ids", &ids<Words>, nb::arg("texts").none(), nb::arg("threads"),
             "Ids of all texts, offsets, number of unknown words.")
        .def("ids_of_lines", &ids_by_line<Words>, nb::arg("block"),
             "The same for the lines of a block of UTF-8.");
    nb::class_<WordPiece>(module, "WordPiece", "Splits texts as BERT does, and words into pieces.")
        .def("__init__", &make_word_piece, nb::arg("pieces"), nb::arg("unknown"), nb::arg("prefix"),
             nb::arg("longest_word"), nb::arg("added"), nb::arg("added_ids"), nb::arg("clean"),
             nb::arg("space_chinese"), nb::arg("strip_accents"), nb::arg("lowercase"),
             nb::arg("split_punctuation"))
        .def("all_ids", &all_ids, nb::arg("texts").none(),
             "The ids of each text, the unknown's among them.")
        .def("ids", &ids<WordPiece>, nb::arg("texts").none(), nb::arg("threads"),
             "Ids of all texts without the unknown's, offsets, number of the unknown's.")
        .def("ids_of_lines", &ids_by_line<WordPiece>, nb::arg("block"),
             "The same for the lines of a block of valid UTF-8.");
    nb::class_<WordCounter>(module, "WordCounter", "Counts the words of lines of UTF-8.")
        .def(
            "__init__",
            [](WordCounter *self, const std::string &kind, bool lowercase) {
                new (self) WordCounter(make_splitter(kind, lowercase));
            },
            nb::arg("kind"), nb::arg("lowercase"))
        .def("add_lines", &add_lines, nb::arg("block"), "Count the words of a block of lines.")
        .def("merge", &WordCounter::merge, nb::arg("other"),
             nb::call_guard<nb::gil_scoped_release>(), "Add the counts of another counter.")
        .def_prop_ro("total", &WordCounter::total, "How many words were seen.")
        .def("most_common", &most_common, nb::arg("size") = nb::none(),
             nb::arg("minimum_count") = 1,
             "Words and counts, by count and then by code points; all when no size is given.");
}

}  // namespace cmow

#include "bert.hpp"

#include <algorithm>
#include <vector>

#include "scanner.hpp"

namespace cmow {

namespace {

// Writes the characters of one text, each normalized.
class Writer {
  public:
    Writer(BertOptions options, char *to) : options_(options), to_(to) {}

    void add_ascii(char byte, bool kept) {
        if (!kept) return;  // the marks around it are neighbors
        if (!marks_.empty()) write_marks();
        *to_++ = byte;
    }

    void add(char32_t code) {
        const uint8_t traits = traits_of(code);
        if (options_.clean && traits & unicode::CONTROL) return;
        if (options_.clean && traits & unicode::BLANK) return put(' ');
        const bool spaced = options_.space_chinese && traits & unicode::CHINESE;
        if (spaced) put(' ');
        if (!options_.strip_accents)
            write(code);
        else if (traits & unicode::COMPOSED)
            for (const char32_t part : decompose(code)) {
                if (part) put(part);
            }
        else
            put(code);
        if (spaced) put(' ');
    }

    char *finish() {
        write_marks();
        return to_;
    }

  private:
    struct Mark {
        uint32_t combining_class;
        char32_t code;
    };

    // The marks behind a character are in the canonical order, but for those that are accents.
    void put(char32_t code) {
        const uint8_t traits = traits_of(code);
        const bool combining = traits & unicode::COMBINING;
        if (!combining) write_marks();
        if (options_.strip_accents && traits & unicode::ACCENT) return;
        if (options_.strip_accents && combining)
            marks_.push_back({combining_class(code), code});
        else
            write(code);
    }

    void write_marks() {
        std::stable_sort(marks_.begin(), marks_.end(), [](const Mark &a, const Mark &b) {
            return a.combining_class < b.combining_class;
        });
        for (const Mark &mark : marks_) write(mark.code);
        marks_.clear();
    }

    void write(char32_t code) {
        if (!options_.lowercase)
            to_ = encode(code, to_);
        else if (code == DOTTED_CAPITAL_I)
            to_ = encode(COMBINING_DOT, encode('i', to_));
        else
            to_ = encode(lower_of(code), to_);
    }

    BertOptions options_;
    char *to_;
    std::vector<Mark> marks_;
};

}  // namespace

BertSplitter::BertSplitter(BertOptions options)
    : options_(options),
      separating_(unicode::BLANK | (options.split_punctuation ? unicode::PUNCTUATION : 0)) {
    for (uint8_t byte = 0; byte < 0x80; ++byte) {
        const uint8_t traits = traits_of(byte);
        const char letter = static_cast<char>(byte);
        ascii_separating_[byte] = traits & separating_;
        ascii_[byte] = options.lowercase ? lower(letter) : letter;
        kept_[byte] = !(options.clean && traits & unicode::CONTROL);
    }
}

std::string_view BertSplitter::normalise(std::string_view text, std::string &scratch) const {
    const bool ascii = is_ascii(text);
    const size_t room = text.size() * (ascii ? 1 : unicode::LARGEST_GROWTH);
    if (scratch.size() < room) scratch.resize(room);
    if (ascii) {
        char *to = scratch.data();
        for (const char byte : text) {
            *to = ascii_[static_cast<uint8_t>(byte)];
            to += kept_[static_cast<uint8_t>(byte)];
        }
        return {scratch.data(), static_cast<size_t>(to - scratch.data())};
    }
    Writer writer(options_, scratch.data());
    const char *end = text.data() + text.size();
    for (const char *from = text.data(); from < end;) {
        const Character character = decode(from, end);
        if (character.code < 0x80)
            writer.add_ascii(ascii_[character.code], kept_[character.code]);
        else
            writer.add(character.code);
        from += character.size;
    }
    const char *stop = writer.finish();
    return {scratch.data(), static_cast<size_t>(stop - scratch.data())};
}

}  // namespace cmow

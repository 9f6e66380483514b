// Tables and composition as Python sees them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "composer.hpp"
#include "document.hpp"
#include "ngram_cache.hpp"
#include "scan.hpp"

namespace nb = nanobind;

namespace cmow {

Form bound_form(const std::string &kind, int size, const Constants &constants) {
    const int found = find_part(kind);
    if (found < 0) throw nb::value_error(("there is no kind of part " + kind).c_str());
    if (size < 1) throw nb::value_error("a part's size must be positive");
    return {.kind = found,
            .size = size,
            .constants = constants.data(),
            .constant_count = static_cast<int>(constants.size())};
}

Widths bound_widths(const Form &form) {
    const Widths widths = kernels().parts[form.kind].widths(form);
    if (widths.row == 0) throw nb::value_error("the constants do not fit the kind of part");
    return widths;
}

Table bound_table(const AnyRows &rows, const std::optional<Scales> &scales) {
    Table table{.rows = rows.data(),
                .scales = nullptr,
                .storage = Storage::float32,
                .count = static_cast<int64_t>(rows.shape(0)),
                .width = static_cast<int>(rows.shape(1))};
    if (rows.dtype() == nb::dtype<float>()) return table;
    if (rows.dtype() == nb::dtype<uint16_t>()) {
        table.storage = Storage::float16;
        return table;
    }
    if (rows.dtype() == nb::dtype<int8_t>()) {
        table.storage = Storage::int8;
    } else if (rows.dtype() == nb::dtype<uint8_t>()) {
        table.storage = Storage::int4;
        table.width *= 2;
    } else {
        throw nb::type_error(
            "rows must be float32, uint16 (the bits of float16), int8 or uint8 (pairs of int4)");
    }
    if (!scales || scales->shape(0) != rows.shape(0))
        throw nb::value_error("int8 and int4 rows need one scale a row");
    table.scales = scales->data();
    return table;
}

namespace {

using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

// Keeps the n-grams' rows alive beside the index.
struct BoundNgramCache {
    BoundNgramCache(const Nodes &nodes, const FloatRows &rows, int64_t vocabulary)
        : rows(rows), cache(nodes.data(), static_cast<int64_t>(nodes.shape(0)), rows.data(),
                            static_cast<int>(rows.shape(1)), vocabulary) {
        if (nodes.shape(0) != rows.shape(0)) throw nb::value_error("one row an n-gram is wanted");
    }

    FloatRows rows;
    NgramCache cache;
};

using BoundPlacement = std::tuple<size_t, int, int, float, float, std::optional<FloatRows>>;

// Keeps everything alive that the composer reads.
class BoundComposer {
  public:
    void add(const std::string &kind, int size, const Constants &constants, bool mean,
             const AnyRows &rows, const std::optional<Scales> &scales, int rescale_every,
             const std::shared_ptr<BoundNgramCache> &cache) {
        const Form form = bound_form(kind, size, constants);
        const Widths widths = bound_widths(form);
        Table table = bound_table(rows, scales);
        if (table.storage == Storage::int4) table.width -= widths.row % 2;
        if (table.width != widths.row)
            throw nb::value_error("a row must have as many numbers as the part takes");
        if (rescale_every < 1) throw nb::value_error("rescale_every must be at least 1");
        if (cache && cache->cache.width() != widths.element)
            throw nb::value_error("the cached n-grams are of another size");
        composer_.add({.form = form,
                       .widths = widths,
                       .table = table,
                       .mean = mean,
                       .rescale_every = rescale_every,
                       .ngrams = cache ? &cache->cache.table() : nullptr});
        kept_.push_back({constants, rows, scales, cache});
    }

    // :param placements: part, columns from and to, factor, largest norm, and a matrix or None for
    // a view as it is
    void project(const std::vector<BoundPlacement> &placements, const Scales &bias) {
        const std::vector<Part> &parts = composer_.parts();
        const int dim = static_cast<int>(bias.shape(0));
        std::vector<Placement> all;
        for (const auto &[part, begin, end, factor, longest, matrix] : placements) {
            if (part >= parts.size()) throw nb::value_error("a placement of no part");
            const int width = parts[part].widths.view, columns = end - begin;
            if (begin < 0 || columns < 0 || end > dim || (!matrix && columns > width))
                throw nb::value_error("columns beyond the bias, or more than the view has numbers");
            if (matrix && (static_cast<int>(matrix->shape(0)) != width ||
                           static_cast<int>(matrix->shape(1)) != columns))
                throw nb::value_error("a matrix must have a row for each number of the view");
            int view = 0;
            for (size_t p = 0; p < part; ++p) view += parts[p].widths.view;
            all.push_back({.view = view,
                           .width = width,
                           .column = begin,
                           .columns = columns,
                           .matrix = matrix ? matrix->data() : nullptr,
                           .factor = factor,
                           .longest = longest});
        }
        composer_.project({all, bias.data(), dim});
        projection_ = {placements, bias};
    }

    int64_t compose(const Ids &ids, const Offsets &offsets, const Out &out, int normalize,
                    int threads) const {
        if (normalize < 0 || normalize > 2) throw nb::value_error("normalize must be 0, 1 or 2");
        return run(ids, offsets, out, Show::view, static_cast<Normalize>(normalize), threads);
    }

    int64_t elements(const Ids &ids, const Offsets &offsets, const Out &out, int threads) const {
        return run(ids, offsets, out, Show::element, Normalize::none, threads);
    }

    const Composer &composer() const { return composer_; }

  private:
    int64_t run(const Ids &ids, const Offsets &offsets, const Out &out, Show show,
                Normalize normalize, int threads) const {
        if (composer_.parts().empty()) throw nb::value_error("an encoder needs a part");
        if (offsets.shape(0) == 0) throw nb::value_error("offsets must hold n + 1 numbers");
        const size_t count = offsets.shape(0) - 1;
        if (out.shape(0) != count || out.shape(1) != static_cast<size_t>(composer_.width(show)))
            throw nb::value_error("out must be (sequences, dim)");
        nb::gil_scoped_release unlocked;
        // Copies: another thread may write to the arrays after they are checked.
        std::vector<int64_t> at(offsets.data(), offsets.data() + offsets.shape(0));
        if (!std::is_sorted(at.begin(), at.end())) throw nb::value_error("offsets must not fall");
        const int64_t first = at.front();
        if (first < 0 || at.back() > static_cast<int64_t>(ids.shape(0)))
            throw nb::value_error("offsets point outside the ids");
        const std::vector<int32_t> own(ids.data() + first, ids.data() + at.back());
        for (int64_t &place : at) place -= first;
        return composer_.compose({own.data(), at.data()}, static_cast<int64_t>(count), show,
                                 normalize, out.data(), threads);
    }

    struct Kept {
        Constants constants;
        AnyRows rows;
        std::optional<Scales> scales;
        std::shared_ptr<BoundNgramCache> cache;
    };

    struct KeptProjection {
        std::vector<BoundPlacement> placements;
        Scales bias;
    };

    Composer composer_;
    std::vector<Kept> kept_;
    std::optional<KeptProjection> projection_;
};

// Keeps the composer alive, and lets nobody read while it grows.
class BoundDocument {
  public:
    explicit BoundDocument(const BoundComposer &composer) : document_(composer.composer()) {
        if (composer.composer().parts().empty()) throw nb::value_error("an encoder needs a part");
    }

    void append(const Ids &ids) {
        const std::vector<int32_t> own(ids.data(), ids.data() + ids.shape(0));
        nb::gil_scoped_release unlocked;
        const std::unique_lock alone(growing_);
        document_.append(own.data(), static_cast<int64_t>(own.size()));
    }

    int64_t spans(const Offsets &begins, const Offsets &ends, const Out &out, int normalize,
                  int threads) const {
        return run(begins, ends, out, normalize, [&](Spans spans, Normalize how) {
            return document_.spans(spans, how, out.data(), threads);
        });
    }

    int64_t windows(const Offsets &begins, const Offsets &ends, const Out &out, int normalize,
                    int threads) const {
        return run(begins, ends, out, normalize, [&](Spans spans, Normalize how) {
            if (!std::is_sorted(spans.begins, spans.begins + spans.count) ||
                !std::is_sorted(spans.ends, spans.ends + spans.count))
                throw nb::value_error("windows must not go back");
            return document_.windows(spans, how, out.data(), threads);
        });
    }

    void scores(const Offsets &bounds, int64_t first, const Scales &query, const Out &out,
                int threads) const {
        const std::vector<int64_t> own(bounds.data(), bounds.data() + bounds.shape(0));
        const auto count = static_cast<int64_t>(out.shape(0));
        if (static_cast<int>(query.shape(0)) != document_.composer().width(Show::view))
            throw nb::value_error("the query must be as wide as an embedding");
        if (first < 0 || first > static_cast<int64_t>(own.size()) - 1 - count)
            throw nb::value_error("there are no such bounds");
        const std::vector<float> numbers(query.data(), query.data() + query.shape(0));
        nb::gil_scoped_release unlocked;
        const std::shared_lock together(growing_);
        if (!std::is_sorted(own.begin(), own.end())) throw nb::value_error("bounds must not fall");
        if (!own.empty() && (own.front() < 0 || own.back() > document_.length()))
            throw nb::value_error("bounds beyond the document");
        document_.scores(own, first, count, static_cast<int>(out.shape(1)), numbers.data(),
                         out.data(), threads);
    }

  private:
    template <class Work>
    int64_t run(const Offsets &begins, const Offsets &ends, const Out &out, int normalize,
                const Work &work) const {
        const size_t count = begins.shape(0);
        if (normalize < 0 || normalize > 2) throw nb::value_error("normalize must be 0, 1 or 2");
        if (ends.shape(0) != count || out.shape(0) != count ||
            static_cast<int>(out.shape(1)) != document_.composer().width(Show::view))
            throw nb::value_error("out must be (spans, dim), with a begin and an end for each");
        const std::vector<int64_t> from(begins.data(), begins.data() + count),
            to(ends.data(), ends.data() + count);
        nb::gil_scoped_release unlocked;
        const std::shared_lock together(growing_);
        for (size_t i = 0; i < count; ++i)
            if (from[i] < 0 || from[i] > to[i] || to[i] > document_.length())
                throw nb::value_error("a span beyond the document");
        return work({from.data(), to.data(), static_cast<int64_t>(count)},
                    static_cast<Normalize>(normalize));
    }

    Document document_;
    mutable std::shared_mutex growing_;
};

std::tuple<int64_t, float, float> scan_table(const AnyRows &rows,
                                             const std::optional<Scales> &scales, int threads) {
    const Table table = bound_table(rows, scales);
    nb::gil_scoped_release unlocked;
    const Scan found = scan(table, threads);
    return {found.bad, found.smallest, found.largest};
}

std::vector<std::string> part_kinds() {
    std::vector<std::string> names;
    for (const PartKernels *part = kernels().parts; part->name; ++part)
        names.emplace_back(part->name);
    return names;
}

std::tuple<int, int, int> part_widths(const std::string &kind, int size,
                                      const Constants &constants) {
    const Widths widths = bound_widths(bound_form(kind, size, constants));
    return {widths.row, widths.element, widths.view};
}

}  // namespace

void bind_compose(nb::module_ &module) {
    module.def("part_kinds", &part_kinds, "The kinds of parts that have kernels.");
    module.def("part_widths", &part_widths, nb::arg("kind"), nb::arg("size"), nb::arg("constants"),
               "Numbers of a row, of an element and of its view.");
    nb::class_<BoundNgramCache>(module, "NgramCache", "Products of frequent n-grams.")
        .def(nb::init<const Nodes &, const FloatRows &, int64_t>(), nb::arg("nodes"),
             nb::arg("rows"), nb::arg("vocabulary"));
    nb::class_<BoundComposer>(module, "Composer", "Composes the rows of one or several tables.")
        .def(nb::init<>())
        .def("add", &BoundComposer::add, nb::arg("kind"), nb::arg("size"), nb::arg("constants"),
             nb::arg("mean"), nb::arg("rows"), nb::arg("scales").none(), nb::arg("rescale_every"),
             nb::arg("cache").none())
        .def("project", &BoundComposer::project, nb::arg("placements"), nb::arg("bias"))
        .def("compose", &BoundComposer::compose, nb::arg("flat"), nb::arg("offsets"),
             nb::arg("out").noconvert(), nb::arg("normalize"), nb::arg("threads"))
        .def("elements", &BoundComposer::elements, nb::arg("flat"), nb::arg("offsets"),
             nb::arg("out").noconvert(), nb::arg("threads"));
    nb::class_<BoundDocument>(module, "Document", "A text that is cut anywhere.")
        .def(nb::init<const BoundComposer &>(), nb::arg("composer"), nb::keep_alive<1, 2>())
        .def("append", &BoundDocument::append, nb::arg("ids"))
        .def("spans", &BoundDocument::spans, nb::arg("begins"), nb::arg("ends"),
             nb::arg("out").noconvert(), nb::arg("normalize"), nb::arg("threads"))
        .def("windows", &BoundDocument::windows, nb::arg("begins"), nb::arg("ends"),
             nb::arg("out").noconvert(), nb::arg("normalize"), nb::arg("threads"))
        .def("scores", &BoundDocument::scores, nb::arg("bounds"), nb::arg("first"),
             nb::arg("query"), nb::arg("out").noconvert(), nb::arg("threads"));
    module.def("scan_table", &scan_table, nb::arg("rows"), nb::arg("scales").none(),
               nb::arg("threads"),
               "The first row that is not finite (or -1), and the smallest and the largest of the "
               "rows' largest magnitudes.");
}

}  // namespace cmow

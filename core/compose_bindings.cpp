// Tables and composition as Python sees them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/shared_ptr.h>
#include <nanobind/stl/tuple.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "levels.hpp"
#include "parallel.hpp"
#include "scratch.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

using Rows = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using FloatRows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Scales = nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Out = nb::ndarray<float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Nodes = nb::ndarray<const int32_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;

Table table_of(const Rows &rows, const std::optional<Scales> &scales) {
    Table table{rows.data(), nullptr, Storage::float32, static_cast<int64_t>(rows.shape(0)),
                static_cast<int>(rows.shape(1))};
    if (rows.dtype() == nb::dtype<float>()) return table;
    if (rows.dtype() == nb::dtype<uint16_t>()) {
        table.storage = Storage::float16;
        return table;
    }
    if (rows.dtype() != nb::dtype<int8_t>())
        throw nb::type_error("rows must be float32, uint16 (the bits of float16) or int8");
    if (!scales || scales->shape(0) != rows.shape(0))
        throw nb::value_error("int8 rows need one scale a row");
    table.storage = Storage::int8;
    table.scales = scales->data();
    return table;
}

// Products of frequent n-grams; see NgramTable.
class NgramCache {
  public:
    NgramCache(const Nodes &nodes, const FloatRows &rows, int64_t vocabulary) : rows_(rows) {
        if (nodes.shape(0) != rows.shape(0)) throw nb::value_error("one row an n-gram is wanted");
        uint64_t size = 16;
        while (size < nodes.shape(0) * 2) size *= 2;
        slots_.assign(size, {-1, -1, -1});
        for (size_t j = 0; j < nodes.shape(0); ++j) {
            const int32_t node = nodes(j, 0), token = nodes(j, 1);
            const int32_t next = static_cast<int32_t>(vocabulary + j);
            if (node < 0 || node >= next || token < 0 || token >= vocabulary)
                throw nb::index_error("an n-gram extends an earlier node by a token");
            uint64_t i = ngram_hash(node, token);
            while (slots_[i & (size - 1)].node >= 0) ++i;
            slots_[i & (size - 1)] = {node, token, next};
        }
        table_ = {slots_.data(), size - 1, rows_.data()};
    }

    const NgramTable &table() const { return table_; }
    size_t width() const { return rows_.shape(1); }

  private:
    FloatRows rows_;
    std::vector<NgramTable::Slot> slots_;
    NgramTable table_;
};

class Composer {
  public:
    void add_sum(Rows rows, std::optional<Scales> scales) {
        add({Composition::sum, table_of(rows, scales), 0, 0, nullptr}, rows, scales);
    }

    void add_product(Rows rows, std::optional<Scales> scales, int matrix_size, int rescale_every,
                     std::shared_ptr<NgramCache> cache) {
        if (matrix_size < 1 || rows.shape(1) != static_cast<size_t>(matrix_size) * matrix_size)
            throw nb::value_error("a row must hold matrix_size x matrix_size numbers");
        if (rescale_every < 1) throw nb::value_error("rescale_every must be at least 1");
        if (cache && cache->width() != rows.shape(1))
            throw nb::value_error("the cached n-grams are of another matrix size");
        add({Composition::product, table_of(rows, scales), matrix_size, rescale_every,
             cache ? &cache->table() : nullptr},
            rows, scales);
        if (cache) caches_.push_back(std::move(cache));
    }

    int64_t compose(Ids ids, Offsets offsets, Out out, int normalize, int threads) const {
        check(ids, offsets, out);
        if (normalize < 0 || normalize > 2) throw nb::value_error("normalize must be 0, 1 or 2");
        const int64_t count = static_cast<int64_t>(offsets.shape(0)) - 1;
        const Sequences sequences{ids.data(), offsets.data()};
        const int64_t *const range = offsets.data();
        nb::gil_scoped_release unlocked;
        check_ids(ids.data() + range[0], range[count] - range[0]);
        const Kernels &level = kernels();
        const int parts = static_cast<int>(parts_.size());
        std::vector<Scratch> scratch(std::max(threads, 1));
        std::atomic<int64_t> saturated{0};
        parallel_for(count, chunk(count, threads), threads, [&](int worker, int64_t begin, int64_t end) {
            float *memory = scratch[worker].floats(level.compose_scratch(parts_.data(), parts));
            saturated += level.compose(parts_.data(), parts, sequences, begin, end,
                                       static_cast<Normalize>(normalize), out.data(), dim_, memory);
        });
        return saturated;
    }

  private:
    void add(const Part &part, const Rows &rows, const std::optional<Scales> &scales) {
        if (parts_.size() == MOST_PARTS)
            throw nb::value_error("an encoder has at most 16 parts");
        if (!parts_.empty() && parts_[0].table.count != part.table.count)
            throw nb::value_error("all parts must have a row for the same tokens");
        parts_.push_back(part);
        tables_.push_back(rows);
        if (scales) scales_.push_back(*scales);
        dim_ += part.table.width;
    }

    void check(const Ids &ids, const Offsets &offsets, const Out &out) const {
        if (parts_.empty()) throw nb::value_error("an encoder needs a part");
        if (offsets.shape(0) == 0) throw nb::value_error("offsets must hold n + 1 numbers");
        const size_t count = offsets.shape(0) - 1;
        if (out.shape(0) != count || out.shape(1) != static_cast<size_t>(dim_))
            throw nb::value_error("out must be (sequences, dim)");
        const int64_t *at = offsets.data();
        for (size_t i = 0; i < count; ++i)
            if (at[i] > at[i + 1]) throw nb::value_error("offsets must not fall");
        if (at[0] < 0 || at[count] > static_cast<int64_t>(ids.shape(0)))
            throw nb::value_error("offsets point outside the ids");
    }

    void check_ids(const int32_t *ids, int64_t count) const {
        const uint32_t limit = static_cast<uint32_t>(parts_[0].table.count);
        bool bad = false;
        for (int64_t i = 0; i < count; ++i) bad |= static_cast<uint32_t>(ids[i]) >= limit;
        if (!bad) return;
        int64_t i = 0;
        while (static_cast<uint32_t>(ids[i]) < limit) ++i;
        throw std::out_of_range("id " + std::to_string(ids[i]) +
                                " is not in the vocabulary of " + std::to_string(limit) + " words");
    }

    // Small enough that the threads end together, large enough to be worth a fetch.
    static int64_t chunk(int64_t count, int threads) {
        return std::clamp<int64_t>(count / (8 * std::max(threads, 1)), 16, 1024);
    }

    std::vector<Part> parts_;
    std::vector<Rows> tables_;
    std::vector<Scales> scales_;
    std::vector<std::shared_ptr<NgramCache>> caches_;
    int dim_ = 0;
};

float float_of(uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31) return INFINITY;
    return exponent ? std::ldexp(1024.0f + mantissa, exponent - 25)
                    : std::ldexp(static_cast<float>(mantissa), -24);
}

// The largest magnitude in a row; infinite where a number is not finite.
float largest_in_row(const Table &table, int64_t row) {
    const int64_t start = row * table.width;
    switch (table.storage) {
        case Storage::float32: {
            // As bits: magnitudes are ordered alike, with infinity and NaN above every number.
            const uint32_t *bits = static_cast<const uint32_t *>(table.rows) + start;
            uint32_t most = 0;
            for (int i = 0; i < table.width; ++i) most = std::max(most, bits[i] & 0x7fffffffu);
            float value;
            std::memcpy(&value, &most, sizeof value);
            return std::isfinite(value) ? value : INFINITY;
        }
        case Storage::float16: {
            const uint16_t *bits = static_cast<const uint16_t *>(table.rows) + start;
            uint16_t most = 0;
            for (int i = 0; i < table.width; ++i)
                most = std::max<uint16_t>(most, bits[i] & 0x7fffu);
            return float_of(most);
        }
        default: {
            const float scale = std::fabs(table.scales[row]);
            return std::isfinite(scale) ? scale * 128 : INFINITY;
        }
    }
}

struct Range {
    int64_t bad = -1;
    float smallest = INFINITY, largest = 0;
};

std::tuple<int64_t, float, float> scan_table(Rows rows, std::optional<Scales> scales, int threads) {
    const Table table = table_of(rows, scales);
    nb::gil_scoped_release unlocked;
    std::vector<Range> ranges(std::max(threads, 1));
    parallel_for(table.count, 1024, threads, [&](int worker, int64_t begin, int64_t end) {
        Range &range = ranges[worker];
        for (int64_t row = begin; row < end; ++row) {
            const float magnitude = largest_in_row(table, row);
            if (std::isinf(magnitude) && (range.bad < 0 || row < range.bad)) range.bad = row;
            range.smallest = std::min(range.smallest, magnitude);
            range.largest = std::max(range.largest, magnitude);
        }
    });
    Range all;
    for (const Range &range : ranges) {
        if (range.bad >= 0 && (all.bad < 0 || range.bad < all.bad)) all.bad = range.bad;
        all.smallest = std::min(all.smallest, range.smallest);
        all.largest = std::max(all.largest, range.largest);
    }
    return {all.bad, all.smallest, all.largest};
}

}  // namespace

void bind_compose(nb::module_ &module) {
    nb::class_<NgramCache>(module, "NgramCache", "Products of frequent n-grams.")
        .def(nb::init<const Nodes &, const FloatRows &, int64_t>(), nb::arg("nodes"),
             nb::arg("rows"), nb::arg("vocabulary"));
    nb::class_<Composer>(module, "Composer", "Composes the rows of one or several tables.")
        .def(nb::init<>())
        .def("add_sum", &Composer::add_sum, nb::arg("rows"), nb::arg("scales").none())
        .def("add_product", &Composer::add_product, nb::arg("rows"), nb::arg("scales").none(),
             nb::arg("matrix_size"), nb::arg("rescale_every"), nb::arg("cache").none())
        .def("compose", &Composer::compose, nb::arg("flat"), nb::arg("offsets"),
             nb::arg("out").noconvert(), nb::arg("normalize"), nb::arg("threads"));
    module.def("scan_table", &scan_table, nb::arg("rows"), nb::arg("scales").none(),
               nb::arg("threads"),
               "The first row that is not finite (or -1), and the smallest and the largest of the "
               "rows' largest magnitudes.");
}

}  // namespace cmow

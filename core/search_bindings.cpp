// Search as Python sees it.
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <tuple>
#include <vector>

#include "bindings.hpp"
#include "clusters.hpp"

namespace nb = nanobind;

namespace cmow {

namespace {

template <class T>
using Vector = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
template <class T>
using Matrix = nb::ndarray<T, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

using BoundBlock =
    std::tuple<AnyRows, std::optional<Scales>, std::optional<Scales>, Matrix<const float>>;

Table searched_table(const AnyRows &rows, const std::optional<Scales> &scales) {
    const Table table = bound_table(rows, scales);
    if (table.storage == Storage::int4)
        throw nb::type_error("rows to be searched are float32, float16 or int8");
    return table;
}

using BoundBytes = std::tuple<Matrix<const int8_t>, Vector<const float>, Vector<const float>>;

// A block's rows in int8, with their scales and how far they are off.
void add_bytes(const BoundBytes &given, SearchBlock &block) {
    const auto &[numbers, scales, errors] = given;
    const Table &table = block.table;
    if (static_cast<int64_t>(numbers.shape(0)) != table.count ||
        static_cast<int>(numbers.shape(1)) != table.width || scales.shape(0) != numbers.shape(0) ||
        errors.shape(0) != numbers.shape(0))
        throw nb::value_error("bytes must be as many as the rows' numbers");
    block.bytes = {.rows = numbers.data(),
                   .scales = scales.data(),
                   .storage = Storage::int8,
                   .count = table.count,
                   .width = table.width};
    block.errors = errors.data();
}

void find(const std::vector<BoundBlock> &given, const std::optional<Vector<const uint8_t>> &alive,
          const Matrix<float> &scores, const Matrix<int64_t> &rows, int threads,
          const std::optional<std::vector<BoundBytes>> &bytes) {
    if (given.empty()) throw nb::value_error("there is nothing to search");
    std::vector<SearchBlock> blocks;
    for (const auto &[stored, scales, weights, queries] : given) {
        const Table table = searched_table(stored, scales);
        if (!blocks.empty() && table.count != blocks[0].table.count)
            throw nb::value_error("all blocks must have a part of the same rows");
        if (weights && static_cast<int64_t>(weights->shape(0)) != table.count)
            throw nb::value_error("one weight a row is wanted");
        if (static_cast<int>(queries.shape(1)) != table.width ||
            queries.shape(0) != scores.shape(0))
            throw nb::value_error("queries must be as wide as the rows, and as many as results");
        blocks.push_back({.table = table,
                          .weights = weights ? weights->data() : nullptr,
                          .queries = queries.data()});
    }
    if (bytes && bytes->size() != blocks.size()) throw nb::value_error("bytes of all blocks");
    for (size_t b = 0; bytes && b < blocks.size(); ++b) add_bytes((*bytes)[b], blocks[b]);
    if (alive && static_cast<int64_t>(alive->shape(0)) != blocks[0].table.count)
        throw nb::value_error("alive must say of each row whether it may be found");
    if (scores.shape(0) != rows.shape(0) || scores.shape(1) != rows.shape(1))
        throw nb::value_error("scores and rows must be (queries, k)");
    nb::gil_scoped_release unlocked;
    const auto query_count = static_cast<int64_t>(scores.shape(0));
    const auto k = static_cast<int64_t>(scores.shape(1));
    if (k == 0) return;
    std::vector<Hit> hits(query_count * k);
    search(blocks, query_count, alive ? alive->data() : nullptr, k, threads, hits.data());
    for (size_t i = 0; i < hits.size(); ++i) {
        scores.data()[i] = hits[i].score;
        rows.data()[i] = hits[i].row;
    }
}

SearchBlock compared_block(const BoundBlock &given, int64_t query_count) {
    const auto &[rows, scales, weights, queries] = given;
    const Table table = searched_table(rows, scales);
    if (static_cast<int>(queries.shape(1)) != table.width ||
        static_cast<int64_t>(queries.shape(0)) != query_count)
        throw nb::value_error("queries must be as wide as the rows, and as many as sketches");
    if (weights) throw nb::value_error("rows that are compared have no weights");
    return {.table = table, .weights = nullptr, .queries = queries.data()};
}

void link(Clusters &clusters, const BoundBlock &given, const BoundBlock &given_sketches,
          int64_t first_row, float threshold, float margin, int threads) {
    const auto query_count = static_cast<int64_t>(std::get<3>(given).shape(0));
    const SearchBlock rows = compared_block(given, query_count),
                      sketches = compared_block(given_sketches, query_count);
    if (sketches.table.count != rows.table.count) throw nb::value_error("one sketch a row");
    if (first_row < 0 || first_row > clusters.count() - rows.table.count ||
        query_count > rows.table.count)
        throw nb::value_error("rows beyond the clusters");
    nb::gil_scoped_release unlocked;
    clusters.link(rows, sketches, first_row, static_cast<int>(query_count),
                  {.threshold = threshold, .margin = margin}, threads);
}

void labels(Clusters &clusters, const Vector<int64_t> &out) {
    if (static_cast<int64_t>(out.shape(0)) != clusters.count())
        throw nb::value_error("one label a row is wanted");
    const std::vector<int64_t> found = clusters.labels();
    std::copy(found.begin(), found.end(), out.data());
}

}  // namespace

void bind_search(nb::module_ &module) {
    module.def("search", &find, nb::arg("blocks"), nb::arg("alive").none(),
               nb::arg("scores").noconvert(), nb::arg("rows").noconvert(), nb::arg("threads"),
               nb::arg("bytes") = nb::none(),
               "The best rows of each query, and their scores; -1 where there are no more.");
    nb::class_<Clusters>(module, "Clusters", "Rows that are alike, and what is linked by them.")
        .def(nb::init<int64_t>(), nb::arg("count"))
        .def("link", &link, nb::arg("rows"), nb::arg("sketches"), nb::arg("first_row"),
             nb::arg("threshold"), nb::arg("margin"), nb::arg("threads"))
        .def("labels", &labels, nb::arg("out").noconvert());
}

}  // namespace cmow

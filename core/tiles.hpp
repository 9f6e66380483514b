// Scores of some rows at a time, computed from rows as they are stored.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "levels.hpp"

namespace cmow {

constexpr int TILE = ByteRows::COUNT;  // rows whose scores are computed at a time

// Rows with zeros behind them, so that the kernels need not look where a row ends.
class PaddedQueries {
  public:
    PaddedQueries(const float *queries, int64_t count, int width)
        : stride_((width + LANES - 1) / LANES * LANES), numbers_(count * stride_) {
        for (int64_t q = 0; q < count; ++q)
            std::copy_n(queries + q * width, width, &numbers_[q * stride_]);
    }

    const float *operator[](int64_t q) const { return &numbers_[q * stride_]; }
    int stride() const { return stride_; }
    int count() const { return static_cast<int>(numbers_.size() / stride_); }

  private:
    static constexpr int LANES = 16;  // of the widest vector

    int stride_;
    std::vector<float> numbers_;
};

// out[q][r] = the products of some queries with a tile of rows
inline void tile_scores(const Table &table, int64_t first, int rows, const PaddedQueries &queries,
                        int first_query, int query_count, float *out) {
    kernels().scores(table, first, rows, queries[first_query], query_count, queries.stride(), out);
    if (!table.scales) return;
    for (int q = 0; q < query_count; ++q, out += rows)
        for (int r = 0; r < rows; ++r) out[r] *= table.scales[first + r];
}

}  // namespace cmow

// Rows that are alike, found by comparing all with all: most pairs by sketches of the rows only.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "search.hpp"

namespace cmow {

// When rows are: the product of their sketches is at least that of the rows, but for the margin.
struct Alike {
    float threshold, margin;
};

// Rows that are alike belong together, and so do all that are linked through others.
class Clusters {
  public:
    explicit Clusters(int64_t count);

    // Links rows with queries whose product is at least the threshold. The queries are the first
    // of the rows.
    //
    // :param sketches: of the same rows and queries
    // :param first_row: the number of the first row
    void link(const SearchBlock &rows, const SearchBlock &sketches, int64_t first_row,
              int query_count, Alike alike, int threads);

    // The first row of each row's cluster.
    std::vector<int64_t> labels();

    int64_t count() const { return static_cast<int64_t>(parents_.size()); }

  private:
    int64_t root(int64_t row);
    bool linked(int64_t row, int64_t other);
    void link(int64_t row, int64_t other);

    std::vector<int64_t> parents_;  // never larger than the row
    std::mutex linking_;
};

}  // namespace cmow

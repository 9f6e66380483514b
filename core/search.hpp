// The rows that are most like a query, found by looking at all of them: memory is read once for
// many queries, and no more scores are kept than are asked for.
#pragma once

#include <cstdint>
#include <mutex>
#include <vector>

#include "kernels.hpp"

namespace cmow {

// Rows are stored in one or several blocks; a score is the sum of the blocks' products.
struct SearchBlock {
    Table table;           // float32, float16 or int8
    const float *weights;  // a row's, which its product is multiplied by; may be null
    const float *queries;  // as wide as the table's rows
};

struct Hit {
    float score;
    int64_t row;
};

// The `k` best rows of each query, best first, of equal ones the first; where there are fewer, the
// row is -1. The same for any number of threads.
//
// :param alive: which rows may be found; may be null
// :param hits: `k` for each query
void search(const std::vector<SearchBlock> &blocks, int64_t query_count, const uint8_t *alive,
            int64_t k, int threads, Hit *hits);

// Rows that are alike belong together, and so do all that are linked through others.
class Clusters {
  public:
    explicit Clusters(int64_t count);

    // Links rows of the table with queries whose product is at least the threshold.
    //
    // :param first_row: the number of the table's first row
    // :param first_query: the number of the row that the first query is
    void link(const Table &table, int64_t first_row, const float *queries, int64_t query_count,
              int64_t first_query, float threshold, int threads);

    // The first row of each row's cluster.
    std::vector<int64_t> labels();

    int64_t count() const { return static_cast<int64_t>(parents_.size()); }

  private:
    int64_t root(int64_t row);

    std::vector<int64_t> parents_;  // never larger than the row
    std::mutex linking_;
};

}  // namespace cmow

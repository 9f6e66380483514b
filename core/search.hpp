// The rows that are most like a query, found by looking at all of them: memory is read once for
// many queries, and no more scores are kept than are asked for.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels.hpp"

namespace cmow {

// Rows are stored in one or several blocks; a score is the sum of the blocks' products.
struct SearchBlock {
    Table table;           // float32, float16 or int8
    const float *weights;  // a row's, which its product is multiplied by; may be null
    const float *queries;  // as wide as the table's rows

    // The rows in int8, of which less memory is read, if there are any: a product with them is off
    // by no more than the query's norm times the row's error.
    Table bytes{};
    const float *errors = nullptr;

    const Table &smallest() const { return errors ? bytes : table; }
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

}  // namespace cmow

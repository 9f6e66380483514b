// Sums of rows that lie anywhere in memory.
#pragma once

#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

// out += the rows, a few at a time: for rows that come from far memory in one stream each.
template <int ROWS>
inline void add_rows(const float *const *rows, int width, float *out) {
    int i = 0;
    for (; i + WIDTH <= width; i += WIDTH) {
        Vector sum = load<Vector>(out + i);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; ++r) sum += load<Vector>(rows[r] + i);
        store(out + i, sum);
    }
    for (; i < width; ++i)
        for (int r = 0; r < ROWS; ++r) out[i] += rows[r][i];
}

// out = the sum of any number of rows that are near: each is read once, nothing is written twice.
inline void sum_rows(const float *const *rows, int count, int width, float *out) {
    int i = 0;
    for (; i + 4 * WIDTH <= width; i += 4 * WIDTH) {
        Vector sum[4] = {};
        for (int r = 0; r < count; ++r)
#pragma GCC unroll 4
            for (int j = 0; j < 4; ++j) sum[j] += load<Vector>(rows[r] + i + j * WIDTH);
#pragma GCC unroll 4
        for (int j = 0; j < 4; ++j) store(out + i + j * WIDTH, sum[j]);
    }
    for (; i < width; ++i) {
        float sum = 0;
        for (int r = 0; r < count; ++r) sum += rows[r][i];
        out[i] = sum;
    }
}

}  // namespace cmow::CMOW_LEVEL

// Sums of rows that lie anywhere in memory.
#pragma once

#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

constexpr int SUM_ROWS = 4;  // added at a time

// out += the rows, which come from far memory: as they are added, the same places of later rows
// are asked for.
inline void add_rows(const float *const *rows, int width, float *out, const char *const *later,
                     int number_bits) {
    constexpr int LINE = 16;
    int i = 0;
    for (; i + LINE <= width; i += LINE) {
#pragma GCC unroll 4
        for (int r = 0; r < SUM_ROWS; ++r) __builtin_prefetch(later[r] + i * number_bits / 8);
#pragma GCC unroll 4
        for (int j = i; j < i + LINE; j += WIDTH) {
            Vector sum = load<Vector>(out + j);
#pragma GCC unroll 4
            for (int r = 0; r < SUM_ROWS; ++r) sum += load<Vector>(rows[r] + j);
            store(out + j, sum);
        }
    }
    for (; i < width; ++i)
        for (int r = 0; r < SUM_ROWS; ++r) out[i] += rows[r][i];
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
    for (; i + WIDTH <= width; i += WIDTH) {
        Vector sum{};
        for (int r = 0; r < count; ++r) sum += load<Vector>(rows[r] + i);
        store(out + i, sum);
    }
    for (; i < width; ++i) {
        float sum = 0;
        for (int r = 0; r < count; ++r) sum += rows[r][i];
        out[i] = sum;
    }
}

}  // namespace cmow::CMOW_LEVEL

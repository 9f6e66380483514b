// C = A·B for d×d matrices, with the result held in registers.
//
// B and C are row-major, aligned, with a leading dimension padded to whole vectors, so there is no
// tail to treat. A is read one number at a time with any pair of strides: an unpadded table row, or the
// transpose of a matrix, costs the same.
#pragma once

#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

// How the columns of a padded row are cut into vectors: full ones, then maybe a half one.
struct Columns {
    int full, half;
};

constexpr Columns columns_of(int d) {
    const int rest = d % WIDTH;
    const bool half = HALF_WIDTH < WIDTH && rest > 0 && rest <= HALF_WIDTH;
    return {d / WIDTH + (rest > 0 && !half), half};
}

// Whole vectors, so that none crosses a cache line: a crossing one cannot be read back before it
// has left the store queue, and the next multiplication reads at once.
constexpr int leading_dimension(int d) { return (d + WIDTH - 1) / WIDTH * WIDTH; }

struct Strided {
    const float *data;
    ptrdiff_t row, column;
};

// One block of C: ROWS rows, FULL vectors and HALF half vectors wide.
template <int ROWS, int FULL, int HALF>
ALWAYS_INLINE void multiply_block(Strided a, const float *b, float *c, int ld, int d) {
    Vector sum[ROWS][FULL + 1] = {};
    HalfVector half_sum[ROWS] = {};
    for (int k = 0; k < d; ++k, b += ld, a.data += a.column) {
        Vector right[FULL + 1];
        HalfVector half_right{};
#pragma GCC unroll 8
        for (int j = 0; j < FULL; ++j) right[j] = load<Vector>(b + j * WIDTH);
        if (HALF) half_right = load<HalfVector>(b + FULL * WIDTH);
#pragma GCC unroll 16
        for (int r = 0; r < ROWS; ++r) {
            const Vector left = broadcast<Vector>(a.data[r * a.row]);
#pragma GCC unroll 8
            for (int j = 0; j < FULL; ++j) sum[r][j] += left * right[j];
            if (HALF) half_sum[r] += lower_half(left) * half_right;
        }
    }
#pragma GCC unroll 16
    for (int r = 0; r < ROWS; ++r, c += ld) {
#pragma GCC unroll 8
        for (int j = 0; j < FULL; ++j) store(c + j * WIDTH, sum[r][j]);
        if (HALF) store(c + FULL * WIDTH, half_sum[r]);
    }
}

// Rows of a block such that its sums take three quarters of the registers.
constexpr int block_rows(int vectors) {
    const int rows = REGISTERS * 3 / 4 / vectors;
    return rows > 8 ? 8 : rows;
}

template <int ROWS, int FULL, int HALF>
ALWAYS_INLINE void multiply_rows(int rows, Strided a, const float *b, float *c, int ld, int d) {
    if constexpr (ROWS > 1)
        if (rows < ROWS) return multiply_rows<ROWS - 1, FULL, HALF>(rows, a, b, c, ld, d);
    multiply_block<ROWS, FULL, HALF>(a, b, c, ld, d);
}

// All rows of a strip of columns, in blocks of nearly equal height.
template <int FULL, int HALF>
void multiply_strip(Strided a, const float *b, float *c, int ld, int d) {
    constexpr int ROWS = block_rows(FULL + HALF);
    const int blocks = (d + ROWS - 1) / ROWS;
    const int low = d / blocks, higher = d % blocks;  // so many blocks are one row higher
    for (int block = 0; block < blocks; ++block) {
        const int rows = low + (block < higher);
        multiply_rows<ROWS, FULL, HALF>(rows, a, b, c, ld, d);
        a.data += rows * a.row;
        c += rows * ld;
    }
}

// C = A·B. C must not overlap B; its padding becomes zero where B's is.
inline void multiply(Strided a, const float *b, float *c, int d) {
    const Columns columns = columns_of(d);
    const int ld = leading_dimension(d);
    int full = columns.full;
    for (; full > 4; full -= 3, b += 3 * WIDTH, c += 3 * WIDTH) multiply_strip<3, 0>(a, b, c, ld, d);
    if (columns.half) {
        switch (full) {
            case 0: return multiply_strip<0, 1>(a, b, c, ld, d);
            case 1: return multiply_strip<1, 1>(a, b, c, ld, d);
            case 2: return multiply_strip<2, 1>(a, b, c, ld, d);
            case 3: return multiply_strip<3, 1>(a, b, c, ld, d);
            default: return multiply_strip<4, 1>(a, b, c, ld, d);
        }
    }
    switch (full) {
        case 1: return multiply_strip<1, 0>(a, b, c, ld, d);
        case 2: return multiply_strip<2, 0>(a, b, c, ld, d);
        case 3: return multiply_strip<3, 0>(a, b, c, ld, d);
        default: return multiply_strip<4, 0>(a, b, c, ld, d);
    }
}

}  // namespace cmow::CMOW_LEVEL

// C = A·B for d×d matrices, with the result held in registers.
//
// B and C are row-major, aligned, with a leading dimension padded to whole vectors, so there is no
// tail to treat. A is read one number at a time with any pair of strides: an unpadded table row, or
// the transpose of a matrix, costs the same.
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

// Has each<V>(place) called for all vectors V of a padded matrix that multiplication writes.
template <class Each>
ALWAYS_INLINE void each_vector(int d, const Each &each) {
    const Columns columns = columns_of(d);
    const int ld = leading_dimension(d);
    for (int i = 0; i < d; ++i) {
        for (int j = 0; j < columns.full; ++j) each.template operator()<Vector>(i * ld + j * WIDTH);
        if (columns.half) each.template operator()<HalfVector>(i * ld + columns.full * WIDTH);
    }
}

struct Strided {
    const float *data;
    ptrdiff_t row, column;
};

// Whether a product replaces what the result's memory holds or is added to it.
enum class Into { replace, add };

template <Into INTO, class V>
ALWAYS_INLINE void put(float *to, V v) {
    store(to, INTO == Into::add ? load<V>(to) + v : v);
}

// One block of C: ROWS rows, FULL vectors and HALF half vectors wide.
template <Into INTO, int ROWS, int FULL, int HALF>
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
        for (int j = 0; j < FULL; ++j) put<INTO>(c + j * WIDTH, sum[r][j]);
        if (HALF) put<INTO>(c + FULL * WIDTH, half_sum[r]);
    }
}

// Rows of a block such that its sums take three quarters of the registers.
constexpr int block_rows(int vectors) {
    const int rows = REGISTERS * 3 / 4 / vectors;
    return rows > 8 ? 8 : rows;
}

template <Into INTO, int ROWS, int FULL, int HALF>
ALWAYS_INLINE void multiply_rows(int rows, Strided a, const float *b, float *c, int ld, int d) {
    if constexpr (ROWS > 1)
        if (rows < ROWS) return multiply_rows<INTO, ROWS - 1, FULL, HALF>(rows, a, b, c, ld, d);
    multiply_block<INTO, ROWS, FULL, HALF>(a, b, c, ld, d);
}

// All rows of a strip of columns, in blocks of nearly equal height.
template <Into INTO, int FULL, int HALF>
ALWAYS_INLINE void multiply_strip(Strided a, const float *b, float *c, int ld, int d, Ahead ahead) {
    constexpr int ROWS = block_rows(FULL + HALF);
    const int blocks = (d + ROWS - 1) / ROWS;
    const int low = d / blocks, higher = d % blocks;  // so many blocks are one row higher
    for (int block = 0; block < blocks; ++block) {
        const int rows = low + (block < higher);
        ahead.fetch(blocks - block);
        multiply_rows<INTO, ROWS, FULL, HALF>(rows, a, b, c, ld, d);
        a.data += rows * a.row;
        c += rows * ld;
    }
}

template <Into INTO>
ALWAYS_INLINE void multiply_all(Strided a, const float *b, float *c, int d, Ahead ahead) {
    const Columns columns = columns_of(d);
    const int ld = leading_dimension(d);
    int full = columns.full;
    for (; full > 4; full -= 3, b += 3 * WIDTH, c += 3 * WIDTH)
        multiply_strip<INTO, 3, 0>(a, b, c, ld, d, {});
    if (columns.half) {
        switch (full) {
            case 0: return multiply_strip<INTO, 0, 1>(a, b, c, ld, d, ahead);
            case 1: return multiply_strip<INTO, 1, 1>(a, b, c, ld, d, ahead);
            case 2: return multiply_strip<INTO, 2, 1>(a, b, c, ld, d, ahead);
            case 3: return multiply_strip<INTO, 3, 1>(a, b, c, ld, d, ahead);
            default: return multiply_strip<INTO, 4, 1>(a, b, c, ld, d, ahead);
        }
    }
    switch (full) {
        case 1: return multiply_strip<INTO, 1, 0>(a, b, c, ld, d, ahead);
        case 2: return multiply_strip<INTO, 2, 0>(a, b, c, ld, d, ahead);
        case 3: return multiply_strip<INTO, 3, 0>(a, b, c, ld, d, ahead);
        default: return multiply_strip<INTO, 4, 0>(a, b, c, ld, d, ahead);
    }
}

// Of some sizes, the presets' among them, there are copies in which the compiler knows the size.
template <Into INTO, int D>
__attribute__((noinline)) void multiply_sized(const float *a, ptrdiff_t row, ptrdiff_t column,
                                              const float *b, float *c, int d, Ahead ahead) {
    multiply_all<INTO>({a, row, column}, b, c, D ? D : d, ahead);
}

// Has work<D>() done for a size that the compiler knows, or work<0>() for any other.
template <class Work>
ALWAYS_INLINE void sized(int d, const Work &work) {
    switch (d) {
        case 16: return work.template operator()<16>();
        case 20: return work.template operator()<20>();
        case 24: return work.template operator()<24>();
        case 28: return work.template operator()<28>();
        default: return work.template operator()<0>();
    }
}

// C = A·B, or C += A·B. C must not overlap B; its padding becomes zero where B's is.
template <Into INTO = Into::replace>
inline void multiply(Strided a, const float *b, float *c, int d, Ahead ahead = {}) {
    sized(d, [&]<int D>() { multiply_sized<INTO, D>(a.data, a.row, a.column, b, c, d, ahead); });
}

// Rows that a matrix's memory has: whole 4x4 blocks for the transposition.
constexpr int padded_rows(int d) { return (d + 3) / 4 * 4; }

constexpr int padded_size(int d) { return padded_rows(d) * leading_dimension(d); }

// T = Aᵀ, in blocks of 4x4. Whatever the padding of A holds ends up in the padding of T.
inline void transpose(const float *a, float *t, int d) {
    const int ld = leading_dimension(d);
    for (int i = 0; i < d; i += 4)
        for (int j = 0; j < d; j += 4) {
            const float *from = a + i * ld + j;
            float *to = t + j * ld + i;
            const Four r0 = load<Four>(from), r1 = load<Four>(from + ld),
                       r2 = load<Four>(from + 2 * ld), r3 = load<Four>(from + 3 * ld);
            const Four a0 = shuffle<0, 4, 1, 5>(r0, r1), a1 = shuffle<2, 6, 3, 7>(r0, r1),
                       b0 = shuffle<0, 4, 1, 5>(r2, r3), b1 = shuffle<2, 6, 3, 7>(r2, r3);
            store(to, shuffle<0, 1, 4, 5>(a0, b0));
            store(to + ld, shuffle<2, 3, 6, 7>(a0, b0));
            store(to + 2 * ld, shuffle<0, 1, 4, 5>(a1, b1));
            store(to + 3 * ld, shuffle<2, 3, 6, 7>(a1, b1));
        }
}

// Between a table's row, which has no padding, and a matrix that has.
ALWAYS_INLINE void copy_floats(const float *from, int count, float *to) {
    int i = 0;
    for (; i + WIDTH <= count; i += WIDTH) store(to + i, load<Vector>(from + i));
    for (; i + 4 <= count; i += 4) store(to + i, load<Four>(from + i));
    for (; i < count; ++i) to[i] = from[i];
}

inline void fill_padded(const float *row, int d, float *matrix) {
    sized(d, [&]<int D>() {
        const int size = D ? D : d, ld = leading_dimension(size);
        for (int i = 0; i < size; ++i) {
            copy_floats(row + i * size, size, matrix + i * ld);
            for (int j = size; j < ld; ++j) matrix[i * ld + j] = 0;
        }
    });
}

inline void strip_padding(const float *matrix, int d, float *row) {
    sized(d, [&]<int D>() {
        const int size = D ? D : d, ld = leading_dimension(size);
        for (int i = 0; i < size; ++i) copy_floats(matrix + i * ld, size, row + i * size);
    });
}

}  // namespace cmow::CMOW_LEVEL

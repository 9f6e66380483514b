// Products of bytes, four in the time of one of floats: enough to tell which rows cannot be among
// the best.
#if defined(__AVX512F__)
// Some compilers take the undefined inputs of their own intrinsics for a mistake of ours.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>

#include "level.hpp"
#include "rows.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

constexpr int GROUP = 16;  // rows of a vector
constexpr int GROUPS = ByteRows::COUNT / GROUP;
constexpr int STEP = 64;  // columns that are packed at a time

// The first so many of 16.
inline __mmask16 first_of(int count) {
    return static_cast<__mmask16>(0xffffu >> (count <= 0       ? 16
                                              : count >= GROUP ? 0
                                                               : GROUP - count));
}

// Sixteen numbers, or the last `count` of a row and zeros.
template <bool WHOLE>
inline __m512 widened(const float *from, int count) {
    return WHOLE ? _mm512_loadu_ps(from) : _mm512_maskz_loadu_ps(first_of(count), from);
}

template <bool WHOLE>
inline __m512 widened(const uint16_t *from, int count) {
    const auto *bits = reinterpret_cast<const __m256i *>(from);
    return _mm512_cvtph_ps(WHOLE ? _mm256_loadu_si256(bits)
                                 : _mm256_maskz_loadu_epi16(first_of(count), from));
}

// The length of a row of bytes.
float norm_of(const int8_t *row, int width) {
    __m512i squares = _mm512_setzero_si512();
    for (int i = 0; i < width; i += 32) {
        const __mmask32 chosen = width - i < 32 ? (1u << (width - i)) - 1 : ~0u;
        const __m512i x = _mm512_cvtepi8_epi16(_mm256_maskz_loadu_epi8(chosen, row + i));
        squares = _mm512_add_epi32(squares, _mm512_madd_epi16(x, x));
    }
    return __builtin_sqrtf(static_cast<float>(_mm512_reduce_add_epi32(squares)));
}

// Sixteen vectors of sixteen integers: rows become columns.
inline void transpose(__m512i (&x)[16]) {
    __m512i y[16];
#pragma GCC unroll 16
    for (int i = 0; i < 16; i += 2) {
        y[i] = _mm512_unpacklo_epi32(x[i], x[i + 1]);
        y[i + 1] = _mm512_unpackhi_epi32(x[i], x[i + 1]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 16; i += 4) {
        x[i] = _mm512_unpacklo_epi64(y[i], y[i + 2]);
        x[i + 1] = _mm512_unpackhi_epi64(y[i], y[i + 2]);
        x[i + 2] = _mm512_unpacklo_epi64(y[i + 1], y[i + 3]);
        x[i + 3] = _mm512_unpackhi_epi64(y[i + 1], y[i + 3]);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 4; ++i) {
        y[i] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0x88);
        y[i + 4] = _mm512_shuffle_i32x4(x[i], x[i + 4], 0xdd);
        y[i + 8] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0x88);
        y[i + 12] = _mm512_shuffle_i32x4(x[i + 8], x[i + 12], 0xdd);
    }
#pragma GCC unroll 16
    for (int i = 0; i < 8; ++i) {
        x[i] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0x88);
        x[i + 8] = _mm512_shuffle_i32x4(y[i], y[i + 8], 0xdd);
    }
}

// What a row's bytes count, how far they are off, and how long it is.
struct Measures {
    float scale, error, norm;
};

constexpr int CHAINS = STEP / GROUP;  // sums that do not wait for one another

template <bool WHOLE, class Number>
ALWAYS_INLINE void measure(const Number *row, int count, __m512 (&largest)[CHAINS],
                           __m512 (&squares)[CHAINS]) {
#pragma GCC unroll 4
    for (int c = 0; c < CHAINS; ++c) {
        const __m512 x = widened<WHOLE>(row + c * GROUP, count - c * GROUP);
        largest[c] = _mm512_max_ps(largest[c], _mm512_abs_ps(x));
        squares[c] = _mm512_fmadd_ps(x, x, squares[c]);
    }
}

template <class Number>
Measures measures_of(const Number *row, int width) {
    __m512 largest[CHAINS] = {}, squares[CHAINS] = {};
    int i = 0;
    for (; i + STEP <= width; i += STEP) measure<true>(row + i, STEP, largest, squares);
    if (i < width) measure<false>(row + i, width - i, largest, squares);
    const float most = _mm512_reduce_max_ps(_mm512_max_ps(_mm512_max_ps(largest[0], largest[1]),
                                                          _mm512_max_ps(largest[2], largest[3])));
    const float square =
        _mm512_reduce_add_ps((squares[0] + squares[1]) + (squares[2] + squares[3]));
    if (square == 0 && most == 0) return {.scale = 0, .error = 0, .norm = 0};
    // What floats cannot measure is always looked at.
    if (!(most > 1e-15f && square < 1e30f))
        return {.scale = 0, .error = __builtin_inff(), .norm = 0};
    const float scale = most / 127;
    return {.scale = scale,
            .error = 0.501f * scale * __builtin_sqrtf(static_cast<float>(width)),
            .norm = __builtin_sqrtf(square)};
}

inline Measures measures_of(const int8_t *row, int width) {
    return {.scale = 1, .error = 0, .norm = norm_of(row, width)};
}

// STEP columns of a row as bytes, or the last `count` of them and zeros.
template <bool WHOLE, class Number>
ALWAYS_INLINE __m512i step_of(const Number *row, int count, float scale) {
    const __m512 inverse = _mm512_set1_ps(scale > 0 ? 1 / scale : 0);
    __m512i x[CHAINS];
#pragma GCC unroll 4
    for (int c = 0; c < CHAINS; ++c)
        x[c] = _mm512_cvtps_epi32(widened<WHOLE>(row + c * GROUP, count - c * GROUP) * inverse);
    const __m512i packed =
        _mm512_packs_epi16(_mm512_packs_epi32(x[0], x[1]), _mm512_packs_epi32(x[2], x[3]));
    // Packing goes by quarters of a vector: back into the order of the columns.
    const __m512i places = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    return _mm512_permutexvar_epi32(places, packed);
}

template <bool WHOLE>
ALWAYS_INLINE __m512i step_of(const int8_t *row, int count, float) {
    return _mm512_maskz_loadu_epi8(WHOLE ? ~0ull : (1ull << count) - 1, row);
}

// STEP columns of 16 rows, or the last of them, into their places.
template <bool WHOLE, class Number>
void interleave(const Number *rows, int64_t width, int count, int columns, const float *scales,
                uint8_t *to) {
    const __m512i middle = _mm512_set1_epi8(static_cast<char>(0x80));
    __m512i x[GROUP];
#pragma GCC unroll 16
    for (int r = 0; r < GROUP; ++r) {
        x[r] = middle;
        if (r < count) x[r] ^= step_of<WHOLE>(rows + r * width, columns, scales[r]);
    }
    transpose(x);
    const int quads = WHOLE ? STEP / 4 : (columns + 3) / 4;
#pragma GCC unroll 16
    for (int c = 0; c < 16; ++c)
        if (c < quads) _mm512_store_si512(to + c * GROUPS * 64, x[c]);
}

inline uint8_t *place(const ByteRows &rows, int column, int group) {
    return rows.numbers + (static_cast<int64_t>(column) / 4 * GROUPS + group) * 64;
}

template <class Number>
void pack_all(const Table &table, const float *errors, int64_t first, int count,
              const float *weights, ByteRows out) {
    const auto *rows = reinterpret_cast<const Number *>(address_of(table, first));
    const int64_t width = table.width;
    // What the sums of the product itself may round away.
    const float rounding = 0x1p-23f * static_cast<float>(width + 16);
    for (int r = 0; r < ByteRows::COUNT; ++r) {
        Measures found{};
        if (r < count) found = measures_of(rows + r * width, table.width);
        const float weight = weights && r < count ? __builtin_fabsf(weights[r]) : 1;
        const float size = table.scales && r < count ? weight * table.scales[first + r] : weight;
        out.scales[r] = found.scale;
        out.errors[r] = size * (found.error + rounding * found.norm);
        if (errors && r < count) out.errors[r] += weight * errors[first + r];
        out.norms[r] = size * (found.norm + found.error);
        if (!(out.norms[r] < 1e30f)) out.errors[r] = __builtin_inff();
    }
    for (int g = 0; g < GROUPS; ++g) {
        const Number *const group = rows + g * GROUP * width;
        const float *const scales = out.scales + g * GROUP;
        const int there = count - g * GROUP;
        int i = 0;
        for (; i + STEP <= width; i += STEP)
            interleave<true>(group + i, width, there, STEP, scales, place(out, i, g));
        if (i < width)
            interleave<false>(group + i, width, there, static_cast<int>(width - i), scales,
                              place(out, i, g));
    }
    for (int r = 0; r < count; ++r) {
        if (weights) out.scales[r] *= weights[r];
        if (table.scales) out.scales[r] *= table.scales[first + r];
    }
}

}  // namespace

void pack_rows(const Table &table, const float *errors, int64_t first, int count,
               const float *weights, ByteRows out) {
    if (table.storage == Storage::float32)
        pack_all<float>(table, errors, first, count, weights, out);
    else if (table.storage == Storage::float16)
        pack_all<uint16_t>(table, errors, first, count, weights, out);
    else
        pack_all<int8_t>(table, errors, first, count, weights, out);
}

namespace {

constexpr int QUERIES = 6;  // whose sums fit into the registers

// sums += products of bytes, four at a time; the compiler's own name for it copies every sum.
ALWAYS_INLINE void add_products(__m512i &sums, __m512i rows, __m512i queries) {
    asm("vpdpbusd %2, %1, %0" : "+v"(sums) : "v"(rows), "v"(queries));
}

// totals += what the products of some queries with a block can be at most
template <int Q>
void add_most(const ByteRows &rows, const ByteQueries &queries, int first,
              __m512 (*totals)[GROUPS]) {
    __m512i sums[Q][GROUPS] = {};
    const int32_t *query = queries.numbers + static_cast<int64_t>(first) * queries.quads;
    const uint8_t *from = rows.numbers;
    for (int c = 0; c < queries.quads; ++c, from += GROUPS * 64, ++query) {
        __m512i row[GROUPS];
#pragma GCC unroll 8
        for (int g = 0; g < GROUPS; ++g) row[g] = _mm512_load_si512(from + g * 64);
#pragma GCC unroll 8
        for (int q = 0; q < Q; ++q) {
            const __m512i four = _mm512_set1_epi32(query[q * queries.quads]);
#pragma GCC unroll 8
            for (int g = 0; g < GROUPS; ++g) add_products(sums[q][g], row[g], four);
        }
    }
#pragma GCC unroll 8
    for (int q = 0; q < Q; ++q) {
        const __m512 scale = _mm512_set1_ps(queries.scales[first + q]),
                     error = _mm512_set1_ps(queries.errors[first + q]),
                     norm = _mm512_set1_ps(queries.norms[first + q]);
        const __m512i start = _mm512_set1_epi32(queries.starts[first + q]);
#pragma GCC unroll 8
        for (int g = 0; g < GROUPS; ++g) {
            const int at = g * GROUP;
            __m512 total = totals[q][g];
            total = _mm512_fmadd_ps(norm, _mm512_loadu_ps(rows.errors + at), total);
            total = _mm512_fmadd_ps(error, _mm512_loadu_ps(rows.norms + at), total);
            const __m512 product = scale * _mm512_loadu_ps(rows.scales + at);
            totals[q][g] = _mm512_fmadd_ps(
                product, _mm512_cvtepi32_ps(_mm512_add_epi32(start, sums[q][g])), total);
        }
    }
}

template <int Q>
void some_promising(const ByteRows *rows, const ByteQueries *queries, int block_count, int first,
                    int count, const float *least, uint64_t *promising) {
    if constexpr (Q > 1)
        if (count < Q)
            return some_promising<Q - 1>(rows, queries, block_count, first, count, least,
                                         promising);
    __m512 totals[Q][GROUPS] = {};
    for (int b = 0; b < block_count; ++b) add_most<Q>(rows[b], queries[b], first, totals);
    for (int q = 0; q < Q; ++q) {
        const __m512 bar = _mm512_set1_ps(least[first + q]);
        uint64_t bits = 0;
        for (int g = 0; g < GROUPS; ++g) {
            // What cannot be compared is promising, too.
            const __mmask16 above = _mm512_cmp_ps_mask(totals[q][g], bar, _CMP_NLT_UQ);
            bits |= static_cast<uint64_t>(above) << (g * GROUP);
        }
        promising[first + q] = bits;
    }
}

}  // namespace

void promising(const ByteRows *rows, const ByteQueries *queries, int block_count, int query_count,
               const float *least, uint64_t *found) {
    for (int q = 0; q < query_count; q += QUERIES)
        some_promising<QUERIES>(rows, queries, block_count, q, query_count - q, least, found);
}

}  // namespace cmow::CMOW_LEVEL

#endif

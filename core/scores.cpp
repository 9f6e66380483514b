// Products of queries with the rows of a table as they are stored: nothing is widened in memory.
#include "level.hpp"
#include "rows.hpp"
#include "vector.hpp"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace cmow::CMOW_LEVEL {

namespace {

// A vector of numbers as they are stored.
inline Vector widened(const float *from) { return load<Vector>(from); }

inline Vector widened(const uint16_t *from) {
#if defined(__AVX512F__)
    return _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i *>(from)));
#elif defined(__F16C__)
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from)));
#else
    float numbers[WIDTH];
    widen_float16(from, WIDTH, numbers);
    return load<Vector>(numbers);
#endif
}

inline Vector widened(const int8_t *from) {
#if defined(__AVX512F__)
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i *>(from));
    return _mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes));
#elif defined(__AVX2__)
    const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i *>(from));
    return _mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes));
#else
    float numbers[WIDTH];
    widen_int8(from, 1, WIDTH, numbers);
    return load<Vector>(numbers);
#endif
}

// The last numbers of a row, and zeros behind them.
template <class Number>
inline Vector widened_rest(const Number *from, int count) {
    Number numbers[WIDTH] = {};
    std::memcpy(numbers, from, sizeof(Number) * count);
    return widened(numbers);
}

// Four sums whose sum is that of all numbers.
inline Four four_sums(Vector v) {
#if defined(__AVX512F__)
    const __m256 halves = _mm512_castps512_ps256(v) + _mm512_extractf32x8_ps(v, 1);
    return _mm256_castps256_ps128(halves) + _mm256_extractf128_ps(halves, 1);
#elif defined(__AVX2__)
    return _mm256_castps256_ps128(v) + _mm256_extractf128_ps(v, 1);
#else
    return v;
#endif
}

// The sums of one or of four vectors, each by the same additions.
inline void put_sums(const Vector (&v)[1], float *out) {
    const Four a = four_sums(v[0]);
    out[0] = (a[0] + a[2]) + (a[1] + a[3]);
}

inline void put_sums(const Vector (&v)[4], float *out) {
    const Four a = four_sums(v[0]), b = four_sums(v[1]), c = four_sums(v[2]), d = four_sums(v[3]);
    const Four ab = shuffle<0, 1, 4, 5>(a, b) + shuffle<2, 3, 6, 7>(a, b);
    const Four cd = shuffle<0, 1, 4, 5>(c, d) + shuffle<2, 3, 6, 7>(c, d);
    store(out, shuffle<0, 2, 4, 6>(ab, cd) + shuffle<1, 3, 5, 7>(ab, cd));
}

inline void put_sums(const Vector (&v)[8], float *out) {
    put_sums({v[0], v[1], v[2], v[3]}, out);
    put_sums({v[4], v[5], v[6], v[7]}, out + 4);
}

constexpr int AHEAD = 8192;                       // bytes that are asked for early
constexpr int QUERIES = REGISTERS == 32 ? 6 : 3;  // whose sums fit into the registers

// Rows at a time: with few queries it takes more of them for sums that do not wait for one another.
constexpr int rows_of(int queries) { return queries == 1 ? 8 : 4; }

// Each product is summed on its own, in the same order whatever it is computed beside.
template <int Q, int R, class Number>
ALWAYS_INLINE void block(const Number *rows, int width, const float *queries, int query_stride,
                         float *out, int out_stride) {
    Vector sums[Q][R] = {};
    const auto add = [&](int at, const Vector *row) __attribute__((always_inline)) {
#pragma GCC unroll 8
        for (int q = 0; q < Q; ++q) {
            const Vector query = load<Vector>(queries + q * query_stride + at);
#pragma GCC unroll 8
            for (int r = 0; r < R; ++r) sums[q][r] += query * row[r];
        }
    };
    Vector row[R];
    int i = 0;
    for (; i + WIDTH <= width; i += WIDTH) {
#pragma GCC unroll 8
        for (int r = 0; r < R; ++r) row[r] = widened(rows + static_cast<int64_t>(r) * width + i);
        add(i, row);
    }
    if (i < width) {
        for (int r = 0; r < R; ++r)
            row[r] = widened_rest(rows + static_cast<int64_t>(r) * width + i, width - i);
        add(i, row);
    }
#pragma GCC unroll 8
    for (int q = 0; q < Q; ++q) put_sums(sums[q], out + q * out_stride);
}

// Asks for the memory some distance behind some numbers: a single query waits for nothing else.
template <class Number>
inline void fetch_ahead(const Number *numbers, int64_t count) {
    const char *from = reinterpret_cast<const char *>(numbers) + AHEAD;
    for (int64_t i = 0; i < count * static_cast<int64_t>(sizeof(Number)); i += 64)
        __builtin_prefetch(from + i);
}

template <int Q, class Number>
void some_queries(int count, const Number *rows, int row_count, int width, const float *queries,
                  int query_stride, float *out) {
    if constexpr (Q > 1)
        if (count < Q)
            return some_queries<Q - 1>(count, rows, row_count, width, queries, query_stride, out);
    constexpr int ROWS = rows_of(Q);
    int r = 0;
    for (; r + ROWS <= row_count; r += ROWS) {
        if constexpr (Q == 1) fetch_ahead(rows + static_cast<int64_t>(r) * width, ROWS * width);
        block<Q, ROWS>(rows + static_cast<int64_t>(r) * width, width, queries, query_stride,
                       out + r, row_count);
    }
    for (; r < row_count; ++r)
        block<Q, 1>(rows + static_cast<int64_t>(r) * width, width, queries, query_stride, out + r,
                    row_count);
}

template <class Number>
void all_queries(const Number *rows, int row_count, int width, const float *queries,
                 int query_count, int query_stride, float *out) {
    for (int q = 0; q < query_count; q += QUERIES)
        some_queries<QUERIES>(query_count - q, rows, row_count, width, queries + q * query_stride,
                              query_stride, out + static_cast<int64_t>(q) * row_count);
}

}  // namespace

void scores(const Table &table, int64_t first, int row_count, const float *queries, int query_count,
            int query_stride, float *out) {
    const void *rows = address_of(table, first);
    const int width = table.width;
    if (table.storage == Storage::float32)
        all_queries(static_cast<const float *>(rows), row_count, width, queries, query_count,
                    query_stride, out);
    else if (table.storage == Storage::float16)
        all_queries(static_cast<const uint16_t *>(rows), row_count, width, queries, query_count,
                    query_stride, out);
    else
        all_queries(static_cast<const int8_t *>(rows), row_count, width, queries, query_count,
                    query_stride, out);
}

}  // namespace cmow::CMOW_LEVEL

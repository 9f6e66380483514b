// A table's rows as float32, whatever they are stored as.
#pragma once

#if defined(__F16C__)
#include <immintrin.h>
#endif

#include "kernels.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

inline float from_bits(uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

inline uint32_t to_bits(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}

inline void widen_float16(const uint16_t *from, int width, float *to) {
    int i = 0;
#if defined(__F16C__)
    for (; i + 8 <= width; i += 8)
        _mm256_storeu_ps(to + i, _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(from + i))));
#endif
    for (; i < width; ++i) {
        // Shift the exponent into place and let a multiplication re-bias it, subnormals included.
        const uint32_t magnitude = (from[i] & 0x7fffu) << 13;
        const uint32_t sign = (from[i] & 0x8000u) << 16;
        to[i] = from_bits(to_bits(from_bits(magnitude) * 0x1p112f) | sign);
    }
}

inline void widen_int8(const int8_t *from, float scale, int width, float *to) {
    for (int i = 0; i < width; ++i) to[i] = scale * static_cast<float>(from[i]);
}

// The number in the low half of a byte, and that in its high half.
inline float low_half(uint8_t byte) { return static_cast<int8_t>(byte << 4) >> 4; }
inline float high_half(uint8_t byte) { return static_cast<int8_t>(byte) >> 4; }

inline void widen_int4(const uint8_t *from, float scale, int width, float *to) {
    int i = 0;
#if defined(__AVX2__) && !defined(__AVX512F__)
    // Four bytes in every lane, each of which shifts a number of its own to the top: half the time
    // of the loop below. Older processors have no such shifts, and AVX-512 gains nothing.
    typedef uint32_t Bits __attribute__((vector_size(32)));
    typedef int32_t Numbers __attribute__((vector_size(32)));
    for (; i + WIDTH <= width; i += WIDTH) {
        uint32_t bytes;
        std::memcpy(&bytes, from + i / 2, sizeof bytes);
        const Bits shifted = (bytes + Bits{}) << Bits{28, 24, 20, 16, 12, 8, 4, 0};
        store(to + i, scale * __builtin_convertvector((Numbers)shifted >> 28, Vector));
    }
#endif
    const int pairs = width / 2;
    for (int pair = i / 2; pair < pairs; ++pair) {
        to[2 * pair] = scale * low_half(from[pair]);
        to[2 * pair + 1] = scale * high_half(from[pair]);
    }
    if (width % 2) to[width - 1] = scale * low_half(from[pairs]);
}

inline int number_bits(const Table &table) {
    constexpr int BITS[] = {32, 16, 8, 4};
    return BITS[static_cast<int>(table.storage)];
}

// Where row `id` lies as it is stored.
inline const char *address_of(const Table &table, int64_t id) {
    const int64_t row_bytes = (static_cast<int64_t>(table.width) * number_bits(table) + 7) / 8;
    return static_cast<const char *>(table.rows) + id * row_bytes;
}

// Row `id` of a table that is not float32, as float32; with scales, the deviation from the origin.
inline void widen_row(const Table &table, int64_t id, float *to) {
    const void *from = address_of(table, id);
    const int width = table.width;
    if (table.storage == Storage::float16)
        widen_float16(static_cast<const uint16_t *>(from), width, to);
    else if (table.storage == Storage::int8)
        widen_int8(static_cast<const int8_t *>(from), table.scales[id], width, to);
    else
        widen_int4(static_cast<const uint8_t *>(from), table.scales[id], width, to);
}

}  // namespace cmow::CMOW_LEVEL

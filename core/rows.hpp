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

// Row `id` of a table that is not float32, as float32; of int8, the deviation from the origin.
inline void widen_row(const Table &table, int64_t id, float *to) {
    const int64_t start = id * table.width;
    if (table.storage == Storage::float16)
        widen_float16(static_cast<const uint16_t *>(table.rows) + start, table.width, to);
    else
        widen_int8(static_cast<const int8_t *>(table.rows) + start, table.scales[id], table.width,
                   to);
}

inline int number_size(const Table &table) {
    constexpr int SIZES[] = {4, 2, 1};
    return SIZES[static_cast<int>(table.storage)];
}

// Where row `id` lies as it is stored, for asking for it before it is needed.
inline const char *address_of(const Table &table, int64_t id) {
    return static_cast<const char *>(table.rows) + id * table.width * number_size(table);
}

}  // namespace cmow::CMOW_LEVEL

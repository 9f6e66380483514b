// Keeps running products within the range of float32: by powers of two, which is exact.
#pragma once

#include "matmul.hpp"
#include "rows.hpp"

namespace cmow::CMOW_LEVEL {

constexpr int FAR = 32;  // binary orders of magnitude a running product may stray

// The largest magnitude of a matrix, as the bits of a float: they are ordered alike.
inline uint32_t largest_bits(const float *matrix, int d) {
    const int ld = leading_dimension(d);
    uint32_t largest = 0;
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
            const uint32_t magnitude = to_bits(matrix[i * ld + j]) & 0x7fffffffu;
            largest = magnitude > largest ? magnitude : largest;
        }
    return largest;
}

inline void scale_matrix(float *matrix, int d, float factor) {
    const int ld = leading_dimension(d);
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) matrix[i * ld + j] *= factor;
}

inline int exponent_of(uint32_t bits) { return static_cast<int>(bits >> 23) - 127; }

// Two to the power of an exponent within ±126.
inline float float_power(int exponent) {
    return from_bits(static_cast<uint32_t>(127 + exponent) << 23);
}

// If a matrix has strayed far from 1, scales it by the power of two that puts its largest number
// into [1, 2); returns the exponent taken out.
inline int64_t rescale(float *matrix, int d) {
    const uint32_t largest = largest_bits(matrix, d);
    if (largest == 0) return 0;
    int exponent = exponent_of(largest);
    if (-FAR < exponent && exponent < FAR) return 0;
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    scale_matrix(matrix, d, float_power(-exponent));
    return exponent;
}

// The largest magnitude by whole vectors as multiplication writes them: behind the last number of a
// row there are zeros.
inline uint32_t largest_padded(const float *matrix, int d) {
    typedef int32_t Bits __attribute__((vector_size(4 * WIDTH)));
    typedef int32_t HalfBits __attribute__((vector_size(4 * HALF_WIDTH)));
    Bits largest{};
    HalfBits half_largest{};
    sized(d, [&]<int D>() {
        each_vector(D ? D : d, [&]<class V>(int i) {
            if constexpr (sizeof(V) == sizeof(Vector)) {
                const Bits magnitude = (Bits)load<Vector>(matrix + i) & 0x7fffffff;
                largest = magnitude > largest ? magnitude : largest;
            } else {
                const HalfBits magnitude = (HalfBits)load<HalfVector>(matrix + i) & 0x7fffffff;
                half_largest = magnitude > half_largest ? magnitude : half_largest;
            }
        });
    });
    int32_t most = 0;
    for (int i = 0; i < WIDTH; ++i) most = largest[i] > most ? largest[i] : most;
    for (int i = 0; i < HALF_WIDTH; ++i) most = half_largest[i] > most ? half_largest[i] : most;
    return static_cast<uint32_t>(most);
}

inline int64_t rescale_padded(float *matrix, int d) {
    const int exponent = exponent_of(largest_padded(matrix, d));
    return -FAR < exponent && exponent < FAR ? 0 : rescale(matrix, d);
}

// Adds 1 (or something else) along the diagonal.
inline void add_identity(float *matrix, int d, int leading, float one = 1) {
    for (int i = 0; i < d; ++i) matrix[i * (leading + 1)] += one;
}

}  // namespace cmow::CMOW_LEVEL

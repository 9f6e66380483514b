// What the machine could do at best, for benchmarks to set their figures beside.
#include "level.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

// Multiplies and adds in independent chains, enough of them to hide the latency; returns the
// number of floating-point operations.
double multiply_adds(int64_t rounds, float *sink) {
    constexpr int CHAINS = 12;
    Vector sums[CHAINS];
    // Chains that start alike would be computed once.
    for (int c = 0; c < CHAINS; ++c) sums[c] = broadcast<Vector>(*sink + static_cast<float>(c));
    const Vector factor = broadcast<Vector>(*sink);
    for (int64_t i = 0; i < rounds; ++i) {
#pragma GCC unroll 12
        for (int c = 0; c < CHAINS; ++c) {
            sums[c] = sums[c] * factor + factor;
        }
    }
    Vector total{};
    for (const Vector &sum : sums) total += sum;
    *sink = total[0];
    return 2.0 * WIDTH * CHAINS * static_cast<double>(rounds);
}

// Reads memory once; returns the number of bytes.
double read_memory(const float *memory, int64_t count, float *sink) {
    Vector sums[8] = {};
    for (int64_t i = 0; i + 8 * WIDTH <= count; i += 8 * WIDTH)
#pragma GCC unroll 8
        for (int c = 0; c < 8; ++c) sums[c] += load<Vector>(memory + i + c * WIDTH);
    Vector total{};
    for (const Vector &sum : sums) total += sum;
    *sink = total[0];
    return static_cast<double>(count) * sizeof(float);
}

}  // namespace cmow::CMOW_LEVEL

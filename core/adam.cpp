// The optimizer: a row's gradient from its contributions, then one step of Adam.
#include "level.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

// Some vectors of the rows' sum; the same places of the rows behind are asked for meanwhile.
template <int VECTORS>
void sum_vectors(Contributions contributions, int at, float *sum) {
    constexpr int LINE = 16;  // numbers
    Vector total[VECTORS] = {};
    for (int64_t k = 0; k < contributions.count; ++k) {
        const float *row = contributions.rows[k] + at;
        const float *ahead = contributions.rows[k + Contributions::MORE] + at;
        const Vector weight = broadcast<Vector>(contributions.weights[k]);
#pragma GCC unroll 8
        for (int v = 0; v < VECTORS; ++v) {
            if (v * WIDTH % LINE == 0) __builtin_prefetch(ahead + v * WIDTH);
            total[v] += weight * load<Vector>(row + v * WIDTH);
        }
    }
    for (int v = 0; v < VECTORS; ++v) store(sum + v * WIDTH, total[v]);
}

}  // namespace

void sum_contributions(Contributions contributions, int first, int columns, float *sum) {
    constexpr int VECTORS = 4;
    int i = 0;
    for (; i + VECTORS * WIDTH <= columns; i += VECTORS * WIDTH)
        sum_vectors<VECTORS>(contributions, first + i, sum + i);
    for (; i + WIDTH <= columns; i += WIDTH) sum_vectors<1>(contributions, first + i, sum + i);
    for (; i < columns; ++i) {
        sum[i] = 0;
        for (int64_t k = 0; k < contributions.count; ++k)
            sum[i] += contributions.weights[k] * contributions.rows[k][first + i];
    }
}

void adam(const AdamStep &step, const float *gradient, int width, float *row, float *first_moment,
          float *second_moment) {
    for (int i = 0; i < width; ++i) {
        const float g = gradient ? gradient[i] : 0;
        const float first = first_moment[i] = step.beta1 * first_moment[i] + (1 - step.beta1) * g;
        const float second = second_moment[i] =
            step.beta2 * second_moment[i] + (1 - step.beta2) * g * g;
        const float spread = __builtin_sqrtf(second) / step.second_correction + step.epsilon;
        row[i] -= step.rate * first / spread;
    }
}

}  // namespace cmow::CMOW_LEVEL

// The optimizer: a row's gradient from its contributions, then one step of Adam.
#include "level.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

// Adds rows; the same places of the rows listed behind them are asked for meanwhile.
template <int ROWS>
void add_weighted(const float *const *rows, const float *weights, int width, float *sum) {
    int i = 0;
    for (; i + WIDTH <= width; i += WIDTH) {
#pragma GCC unroll 4
        for (int r = 0; r < ROWS; ++r) __builtin_prefetch(rows[ROWS + r] + i);
        Vector total = load<Vector>(sum + i);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; ++r)
            total += broadcast<Vector>(weights[r]) * load<Vector>(rows[r] + i);
        store(sum + i, total);
    }
    for (; i < width; ++i)
        for (int r = 0; r < ROWS; ++r) sum[i] += weights[r] * rows[r][i];
}

}  // namespace

void sum_contributions(Contributions contributions, int width, float *gradient) {
    std::memset(gradient, 0, sizeof(float) * width);
    int64_t i = 0;
    for (; i + 4 <= contributions.count; i += 4)
        add_weighted<4>(contributions.rows + i, contributions.weights + i, width, gradient);
    for (; i + 2 <= contributions.count; i += 2)
        add_weighted<2>(contributions.rows + i, contributions.weights + i, width, gradient);
    for (; i < contributions.count; ++i)
        add_weighted<1>(contributions.rows + i, contributions.weights + i, width, gradient);
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

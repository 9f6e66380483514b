// Gradients of a table's rows, from contributions that lie anywhere in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "levels.hpp"
#include "parallel.hpp"
#include "scratch.hpp"

namespace cmow {

struct Contribution {
    int32_t table_row;
    const float *row;
    float weight;
};

// Contributions sorted by the table's row and, within one, in the order in which they came:
// whatever the number of threads, each row sums up the same numbers in the same order.
class GradientRows {
  public:
    GradientRows() = default;
    GradientRows(const std::vector<Contribution> &contributions, int64_t table_rows)
        : first_(table_rows + 1), weights_(contributions.size()) {
        if (!contributions.empty())
            rows_.assign(contributions.size() + Contributions::MORE, contributions.front().row);
        for (const Contribution &each : contributions) ++first_[each.table_row + 1];
        for (int64_t row = 0; row < table_rows; ++row) first_[row + 1] += first_[row];
        std::vector<int64_t> next(first_.begin(), first_.end() - 1);
        for (const Contribution &each : contributions) {
            const int64_t at = next[each.table_row]++;
            rows_[at] = each.row;
            weights_[at] = each.weight;
        }
    }

    // Calls apply(row, gradient) for every row; the gradient is null where nothing contributes.
    template <class Apply>
    void for_each(int width, int threads, const Apply &apply) const {
        const Kernels &level = kernels();
        const int64_t count = static_cast<int64_t>(first_.size()) - 1;
        std::vector<Scratch> scratch(std::max(threads, 1));
        parallel_for(count, AT_A_TIME, threads, [&](int worker, int64_t begin, int64_t end) {
            float *gradient = scratch[worker].floats(width);
            for (int64_t row = begin; row < end; ++row) {
                const int64_t first = first_[row], contributions = first_[row + 1] - first;
                if (contributions > 0)
                    level.sum_contributions(
                        {rows_.data() + first, weights_.data() + first, contributions}, width,
                        gradient);
                apply(row, contributions > 0 ? gradient : nullptr);
            }
        });
    }

  private:
    static constexpr int64_t AT_A_TIME = 64;  // rows that a thread takes

    std::vector<int64_t> first_;  // of each row, and the end
    std::vector<const float *> rows_;
    std::vector<float> weights_;
};

}  // namespace cmow

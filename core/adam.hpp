// Tables that training changes, and the optimizer that changes them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "fetch.hpp"
#include "levels.hpp"

namespace cmow {

// Columns side by side that step at a rate of their own, in multiples of the learning rate.
struct Columns {
    int width;
    double rate;
};

// A table and its moments for Adam.
struct Trained {
    float *rows, *first_moment, *second_moment;
    int64_t count;
    int width;

    // Before a row takes its step.
    CMOW_FETCHES void fetch_row(int64_t row) const {
        for (const float *numbers : {rows, first_moment, second_moment})
            fetch(numbers + row * width, width);
    }
};

// One update of a table's rows.
class Adam {
  public:
    struct Settings {
        bool lazy;  // rows without a gradient stay as they are
        float beta1, beta2, epsilon;
    };

    // :param update: counted from 1
    // :param columns: of the table, all of them
    Adam(Settings settings, int64_t update, double learning_rate,
         const std::vector<Columns> &columns)
        : lazy_(settings.lazy), update_row_(kernels().adam) {
        const double first = 1 - std::pow(double{settings.beta1}, update);
        const double second = std::sqrt(1 - std::pow(double{settings.beta2}, update));
        // PyTorch's optimizers add epsilon after the correction (Adam) and before it (SparseAdam).
        const double epsilon = lazy_ ? settings.epsilon / second : settings.epsilon;
        for (const Columns &some : columns)
            steps_.push_back({some.width,
                              {.beta1 = settings.beta1,
                               .beta2 = settings.beta2,
                               .epsilon = static_cast<float>(epsilon),
                               .rate = static_cast<float>(some.rate * learning_rate / first),
                               .second_correction = static_cast<float>(second)}});
    }

    // Moves a row; without a gradient it is taken as zero.
    void operator()(const Trained &table, int64_t row, const float *gradient) const {
        if (!gradient && lazy_) return;
        int64_t at = row * table.width;
        for (const auto &[width, step] : steps_) {
            update_row_(step, gradient, width, table.rows + at, table.first_moment + at,
                        table.second_moment + at);
            at += width;
            if (gradient) gradient += width;
        }
    }

  private:
    struct Step {
        int width;
        AdamStep step;
    };

    bool lazy_;
    AdamUpdate *update_row_;
    std::vector<Step> steps_;
};

}  // namespace cmow

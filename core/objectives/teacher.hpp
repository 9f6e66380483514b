// Learning from a teacher: embeddings, mapped into its space, shall point where its vectors do, and
// the embeddings of a text and its twin in another order shall differ as the teacher's do.
//
// The map is linear: each part has a matrix (or none, if its view is in that space already), and
// there is a bias.
#pragma once

#include "../gradients.hpp"
#include "../projection.hpp"
#include "objective.hpp"

namespace cmow {

// Texts, each a window of all words of its sentence; a second window is the twin.
struct TaughtBatch : Batch {
    // :param twins: whether a text is the twin of the one before it
    // :param vectors: the teacher's unit vectors, a row a text
    TaughtBatch(std::vector<int32_t> all, const int64_t *offsets, const bool *twins, size_t texts,
                std::vector<float> vectors)
        : targets(std::move(vectors)),
          target_width(texts ? static_cast<int>(targets.size() / texts) : 0) {
        ids = std::move(all);
        for (size_t t = 0; t < texts; ++t) {
            windows.push_back({.sentence = static_cast<int32_t>(sentences()),
                               .low = static_cast<int32_t>(offsets[t]),
                               .target = -1,
                               .high = static_cast<int32_t>(offsets[t + 1])});
            if (t + 1 < texts && twins[t + 1]) continue;
            first_id.push_back(offsets[t + 1]);
            first_window.push_back(static_cast<int64_t>(t + 1));
        }
    }

    std::vector<float> targets;  // a row a window
    int target_width;
};

class TeacherObjective : public Objective {
  public:
    // :param matrices: a table for each part; without rows for a part that needs none
    // :param twin_weight: of the squared distance between differences
    TeacherObjective(std::vector<Trained> matrices, const std::vector<int> &widths, Trained bias,
                     float twin_weight)
        : matrices_(std::move(matrices)), widths_(widths), bias_(bias), twin_weight_(twin_weight),
          projection_(placements(), bias.rows, bias.width) {
        for (const Trained &matrix : matrices_) {
            std::vector<const float *> &rows = matrix_rows_.emplace_back();
            for (int64_t r = 0; r < matrix.count; ++r)
                rows.push_back(matrix.rows + r * matrix.width);
        }
    }

    std::vector<ObjectiveTable> tables() const override {
        std::vector<ObjectiveTable> all;
        for (const Trained &matrix : matrices_)
            if (matrix.count > 0) all.push_back({matrix, false});
        all.push_back({bias_, false});
        return all;
    }

    std::string fault(const Batch &batch) const override {
        const auto *taught = dynamic_cast<const TaughtBatch *>(&batch);
        if (!taught) return "a teacher's objective needs batches with the teacher's vectors";
        if (taught->target_width != bias_.width)
            return "the teacher's vectors are of another width than the bias";
        return "";
    }

    void begin(const Batch &batch, int, bool) override {
        gradients_.floats(batch.windows.size() * bias_.width);
    }

    double score(const Batch &batch, const Embedded &text, Scratch &memory) override {
        const TaughtBatch &taught = static_cast<const TaughtBatch &>(batch);
        const int dim = bias_.width, count = static_cast<int>(text.count);
        const float *targets = taught.targets.data() + text.first * dim;
        float *gradients = gradients_.floats(0) + text.first * dim;
        float *units = memory.floats(2 * static_cast<size_t>(count) * dim + count);
        float *norms = units + static_cast<size_t>(count) * dim;
        projection_.apply(text.embeddings, text.dim, count, units);
        double loss = 0;
        for (int w = 0; w < count; ++w) {
            norms[w] = make_unit(units + w * dim, dim);
            loss += 1;
            for (int i = 0; i < dim; ++i) {
                loss -= static_cast<double>(units[w * dim + i]) * targets[w * dim + i];
                gradients[w * dim + i] = -targets[w * dim + i];
            }
        }
        if (count == 2) loss += add_difference(units, targets, dim, gradients);
        if (!text.gradients) return loss;
        for (int w = 0; w < count; ++w) {
            through_norm(units + w * dim, norms[w], text.scale, dim, gradients + w * dim);
            apply_backwards(gradients + w * dim, text.gradients + w * text.dim);
        }
        return loss;
    }

    void for_each_gradient(const Batch &batch, const float *embeddings, int dim, int threads,
                           const Apply &apply) override {
        const int64_t windows = static_cast<int64_t>(batch.windows.size());
        size_t table = 0;
        const auto apply_row = [&](int64_t row, const float *sum) { apply(table, row, sum); };
        for (size_t p = 0; p < matrices_.size(); embeddings += widths_[p++])
            if (matrices_[p].count > 0) {
                for_each_row(embeddings, dim, matrices_[p].count, windows, threads, apply_row);
                ++table;
            }
        const std::vector<float> ones(windows, 1.0f);
        for_each_row(ones.data(), 1, 1, windows, 1, apply_row);
    }

  private:
    static constexpr int ROWS = 16;  // of a matrix that a thread takes at a time

    std::vector<Placement> placements() const {
        std::vector<Placement> all;
        int view = 0;
        for (size_t p = 0; p < matrices_.size(); view += widths_[p++])
            all.push_back({view, widths_[p], 0, bias_.width, matrices_[p].rows, 1.0f, 0.0f});
        return all;
    }

    // From the derivatives by one text's projection to those by its views.
    void apply_backwards(const float *gradient, float *view_gradients) const {
        for (size_t p = 0; p < matrices_.size(); view_gradients += widths_[p++])
            if (matrices_[p].count > 0)
                kernels().dots(&gradient, 1, matrix_rows_[p].data(), widths_[p], bias_.width,
                               view_gradients);
            else
                std::copy_n(gradient, widths_[p], view_gradients);
    }

    // From the derivative by a unit vector to that by the vector before it was divided.
    static void through_norm(const float *unit, float norm, float scale, int size,
                             float *gradient) {
        double along = 0;
        for (int i = 0; i < size; ++i) along += static_cast<double>(gradient[i]) * unit[i];
        const float factor = norm > 0 ? scale / norm : 0;
        for (int i = 0; i < size; ++i)
            gradient[i] = factor * (gradient[i] - static_cast<float>(along) * unit[i]);
    }

    // weight * |(u - v) - (s - t)|² of the student's u, v and the teacher's s, t.
    double add_difference(const float *units, const float *targets, int dim, float *gradients) {
        double loss = 0;
        for (int i = 0; i < dim; ++i) {
            const float off = (units[i] - units[dim + i]) - (targets[i] - targets[dim + i]);
            loss += static_cast<double>(off) * off;
            gradients[i] += 2 * twin_weight_ * off;
            gradients[dim + i] -= 2 * twin_weight_ * off;
        }
        return twin_weight_ * loss;
    }

    // Calls apply(r, sum over windows of weights[w * stride + r] * gradients[w]) for each row r.
    template <class ApplyRow>
    void for_each_row(const float *weights, int stride, int64_t count, int64_t windows, int threads,
                      const ApplyRow &apply) {
        const Kernels &level = kernels();
        const int dim = bias_.width;
        std::vector<const float *> gradients(windows);
        for (int64_t w = 0; w < windows; ++w) gradients[w] = gradients_.floats(0) + w * dim;
        std::vector<Scratch> scratch(std::max(threads, 1));
        const auto work = [&](int worker, int64_t begin, int64_t end) {
            float *sums = scratch[worker].floats(ROWS * dim);
            std::fill_n(sums, ROWS * dim, 0.0f);
            float *rows[ROWS];
            for (int r = 0; r < ROWS; ++r) rows[r] = sums + r * dim;
            level.combine({weights + begin, 1, stride}, gradients.data(), static_cast<int>(windows),
                          dim, rows, static_cast<int>(end - begin));
            for (int64_t r = begin; r < end; ++r) apply(r, rows[r - begin]);
        };
        parallel_for(count, ROWS, threads, work);
    }

    std::vector<Trained> matrices_;
    std::vector<int> widths_;  // of the parts' views
    Trained bias_;
    float twin_weight_;
    Projection projection_;
    std::vector<std::vector<const float *>> matrix_rows_;
    Scratch gradients_;  // by the mapped embeddings, a row a window
};

}  // namespace cmow

// Learning from labels: a linear map of a text's embedding is to tell classes or to hit scores.
// Of two texts u and v it maps |u - v| and u * v, number by number.
#pragma once

#include <array>
#include <stdexcept>

#include "../gradients.hpp"
#include "objective.hpp"

namespace cmow {

// Texts, each a window of all its words. An example is a sentence: a text, or two.
struct LabelledBatch : Batch {
    // :param wanted: a row of targets an example
    // :param judged: mistakes count, and the loss a little: among equals the surer is better
    LabelledBatch(std::vector<int32_t> all, const int64_t *offsets, size_t texts,
                  size_t texts_an_example, std::vector<float> wanted, size_t outputs, bool judged)
        : targets(std::move(wanted)), target_width(static_cast<int>(outputs)), judged(judged) {
        ids = std::move(all);
        for (size_t t = 0; t < texts; ++t) {
            windows.push_back({.sentence = static_cast<int32_t>(sentences()),
                               .low = static_cast<int32_t>(offsets[t]),
                               .target = -1,
                               .high = static_cast<int32_t>(offsets[t + 1])});
            if ((t + 1) % texts_an_example != 0) continue;
            first_id.push_back(offsets[t + 1]);
            first_window.push_back(static_cast<int64_t>(t + 1));
        }
    }

    std::vector<float> targets;
    int target_width;
    bool judged;
};

// Each adds up weight(c) times its loss of a score by a target, and turns the scores into their
// derivatives.
namespace label_losses {

using Loss = double(const float *targets, const float *weights, int count, float *scores);

// Cross-entropy; the targets are a distribution.
inline double softmax(const float *targets, const float *weights, int count, float *scores) {
    const float highest = *std::max_element(scores, scores + count);
    double sum = 0, mass = 0, loss = 0;
    for (int c = 0; c < count; ++c) sum += std::exp(double{scores[c]} - highest);
    for (int c = 0; c < count; ++c) {
        const double wanted = double{weights[c]} * targets[c];
        loss += wanted * (highest + std::log(sum) - scores[c]);
        mass += wanted;
    }
    for (int c = 0; c < count; ++c) {
        const double share = std::exp(double{scores[c]} - highest) / sum;
        scores[c] = static_cast<float>(mass * share - double{weights[c]} * targets[c]);
    }
    return loss;
}

// A logistic regression for each class.
inline double logistic(const float *targets, const float *weights, int count, float *scores) {
    double loss = 0;
    for (int c = 0; c < count; ++c) {
        const double score = scores[c], small = std::exp(-std::abs(score));
        const double share = score > 0 ? 1 / (1 + small) : small / (1 + small);
        loss += weights[c] * (std::max(score, 0.0) + std::log1p(small) - targets[c] * score);
        scores[c] = static_cast<float>(weights[c] * (share - targets[c]));
    }
    return loss;
}

// The squared distance.
inline double squared(const float *targets, const float *weights, int count, float *scores) {
    double loss = 0;
    for (int c = 0; c < count; ++c) {
        const double off = double{scores[c]} - targets[c];
        loss += weights[c] * off * off;
        scores[c] = static_cast<float>(2 * weights[c] * off);
    }
    return loss;
}

using Mistakes = double(const float *targets, const float *scores, int count);

// 1 if the highest score is not that of the highest target.
inline double wrong_class(const float *targets, const float *scores, int count) {
    const auto highest = [&](const float *of) { return std::max_element(of, of + count) - of; };
    return highest(scores) != highest(targets);
}

// The share of the classes that are told wrongly.
inline double wrong_decisions(const float *targets, const float *scores, int count) {
    int wrong = 0;
    for (int c = 0; c < count; ++c) wrong += (scores[c] > 0) != (targets[c] > 0.5f);
    return static_cast<double>(wrong) / count;
}

struct Named {
    const char *name;
    Loss *loss;
    Mistakes *mistakes;  // null if there are none, only distances
};
constexpr std::array ALL{Named{"softmax", softmax, wrong_class},
                         Named{"logistic", logistic, wrong_decisions},
                         Named{"squared", squared, nullptr}};
constexpr double LOSS_BESIDE_MISTAKES = 0.01;

}  // namespace label_losses

class LabelsObjective : public Objective {
  public:
    // :param head: a row for each output
    // :param weights: of the outputs' losses
    LabelsObjective(Trained head, Trained bias, std::vector<float> weights,
                    label_losses::Named loss, bool pairs)
        : head_(head), bias_(bias), weights_(std::move(weights)), loss_(loss), pairs_(pairs) {
        for (int64_t i = 0; i < head.count; ++i) rows_.push_back(head.rows + i * head.width);
    }

    std::vector<ObjectiveTable> tables() const override { return {{head_, false}, {bias_, false}}; }

    std::string fault(const Batch &batch) const override {
        const auto *labelled = dynamic_cast<const LabelledBatch *>(&batch);
        if (!labelled) return "labels need batches with labels";
        if (labelled->target_width != bias_.width)
            return "the batch has another number of labels than the bias";
        if (labelled->windows.size() != labelled->first_id.size() * texts() - texts())
            return pairs_ ? "pairs of texts are wanted" : "single texts are wanted";
        return "";
    }

    void begin(const Batch &batch, int dim, bool) override {
        if (head_.width != dim * static_cast<int>(texts()))
            throw std::invalid_argument("the head must be as wide as what it maps");
        derivatives_.floats(batch.sentences() * bias_.width);
        if (pairs_) features_.floats(batch.sentences() * 2 * dim);
    }

    double score(const Batch &batch, const Embedded &text, Scratch &memory) override {
        const Kernels &level = kernels();
        const int outputs = bias_.width;
        const float *features = pairs_ ? compared(text) : text.embeddings;
        float *derivatives = derivatives_.floats(0) + text.sentence * outputs;
        level.dots(&features, 1, rows_.data(), outputs, head_.width, derivatives);
        for (int c = 0; c < outputs; ++c) derivatives[c] += bias_.rows[c];
        const LabelledBatch &labelled = static_cast<const LabelledBatch &>(batch);
        const float *targets = labelled.targets.data() + text.sentence * outputs;
        // The loss is a mean over windows: an example counts as often as it has some.
        const double loss = texts() * (labelled.judged ? judged(targets, derivatives)
                                                       : loss_.loss(targets, weights_.data(),
                                                                    outputs, derivatives));
        if (!text.gradients) return loss;
        for (int c = 0; c < outputs; ++c) derivatives[c] *= texts() * text.scale;
        float *gradients = pairs_ ? memory.floats(head_.width) : text.gradients;
        std::fill_n(gradients, head_.width, 0.0f);
        level.combine({derivatives, outputs, 1}, rows_.data(), outputs, head_.width, &gradients, 1);
        if (pairs_) through_comparison(text, gradients);
        return loss;
    }

    void for_each_gradient(const Batch &batch, const float *embeddings, int, int threads,
                           const Apply &apply) override {
        const int outputs = bias_.width, examples = static_cast<int>(batch.sentences());
        const float *derivatives = derivatives_.floats(0);
        for_each_sum(derivatives, outputs, pairs_ ? features_.floats(0) : embeddings, head_.width,
                     examples, outputs, threads,
                     [&](int64_t row, const float *sum) { apply(0, row, sum); });
        const std::vector<float> ones(examples, 1.0f);
        for_each_sum(ones.data(), 1, derivatives, outputs, examples, 1, 1,
                     [&](int64_t row, const float *sum) { apply(1, row, sum); });
    }

  private:
    static constexpr int ROWS = 16;  // of the head that a thread takes at a time

    size_t texts() const { return pairs_ ? 2 : 1; }

    double judged(const float *targets, float *scores) const {
        const int outputs = bias_.width;
        const double mistakes = loss_.mistakes ? loss_.mistakes(targets, scores, outputs) : 0;
        const double loss = loss_.loss(targets, weights_.data(), outputs, scores);
        return mistakes + (loss_.mistakes ? label_losses::LOSS_BESIDE_MISTAKES : 1) * loss;
    }

    // |u - v| and u * v
    const float *compared(const Embedded &text) {
        const int dim = text.dim;
        const float *u = text.embeddings, *v = u + dim;
        float *features = features_.floats(0) + text.sentence * 2 * dim;
        for (int i = 0; i < dim; ++i) {
            features[i] = std::abs(u[i] - v[i]);
            features[dim + i] = u[i] * v[i];
        }
        return features;
    }

    static void through_comparison(const Embedded &text, const float *gradients) {
        const int dim = text.dim;
        const float *u = text.embeddings, *v = u + dim;
        for (int i = 0; i < dim; ++i) {
            const float sign = static_cast<float>((u[i] > v[i]) - (u[i] < v[i]));
            text.gradients[i] = sign * gradients[i] + v[i] * gradients[dim + i];
            text.gradients[dim + i] = -sign * gradients[i] + u[i] * gradients[dim + i];
        }
    }

    // Calls apply(r, sum over k of weights[k * stride + r] * the k-th of the rows) for each r.
    template <class ApplyRow>
    static void for_each_sum(const float *weights, int stride, const float *rows, int width,
                             int row_count, int64_t sums, int threads, const ApplyRow &apply) {
        std::vector<const float *> addresses(row_count);
        for (int k = 0; k < row_count; ++k) addresses[k] = rows + static_cast<int64_t>(k) * width;
        std::vector<Scratch> scratch(std::max(threads, 1));
        parallel_for(sums, ROWS, threads, [&](int worker, int64_t begin, int64_t end) {
            float *memory = scratch[worker].floats(static_cast<size_t>(ROWS) * width);
            std::fill_n(memory, static_cast<size_t>(ROWS) * width, 0.0f);
            float *out[ROWS];
            for (int r = 0; r < ROWS; ++r) out[r] = memory + static_cast<int64_t>(r) * width;
            kernels().combine({weights + begin, 1, stride}, addresses.data(), row_count, width, out,
                              static_cast<int>(end - begin));
            for (int64_t r = begin; r < end; ++r) apply(r, out[r - begin]);
        });
    }

    Trained head_, bias_;
    std::vector<float> weights_;
    label_losses::Named loss_;
    bool pairs_;
    std::vector<const float *> rows_;  // of the head
    Scratch derivatives_;              // of the loss by the outputs, a row an example
    Scratch features_;                 // of pairs, a row an example
};

}  // namespace cmow

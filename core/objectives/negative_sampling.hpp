// The paper's objective: a logistic regression tells a window's target from noise words by the
// embedding of the words around it. Its weights are the output table, a row a word.
#pragma once

#include "../fetch.hpp"
#include "../gradients.hpp"
#include "../sampling.hpp"
#include "objective.hpp"

namespace cmow {

class NegativeSampling : public Objective {
  public:
    // :param mean_negatives: noise words count as much as the target together, not each
    NegativeSampling(Trained output, bool mean_negatives)
        : output_(output), mean_negatives_(mean_negatives) {}

    std::vector<ObjectiveTable> tables() const override { return {{output_, true}}; }

    std::string fault(const Batch &batch) const override {
        const auto *noisy = dynamic_cast<const NoiseBatch *>(&batch);
        if (!noisy) return "negative sampling needs batches with noise words";
        const auto known = [&](int32_t id) {
            return static_cast<uint32_t>(id) < static_cast<uint64_t>(output_.count);
        };
        for (const std::vector<int32_t> *ids : {&batch.ids, &noisy->negatives})
            if (!std::all_of(ids->begin(), ids->end(), known))
                return "the batch has words that the output table lacks";
        return "";
    }

    void begin(const Batch &batch, int dim, bool want_gradients) override {
        const NoiseBatch &noisy = noise_of(batch);
        const size_t windows = batch.windows.size(), k = noisy.negatives_a_row;
        target_weights_.resize(windows);
        negative_weights_.resize(windows * k);
        if (want_gradients && noisy.shared_negatives)
            negative_gradients_.floats(batch.sentences() * k * dim);
        scale_of_noise_ = mean_negatives_ ? 1.0f / static_cast<float>(k) : 1.0f;
    }

    double score(const Batch &batch, const Embedded &sentence, Scratch &memory) override {
        const NoiseBatch &noisy = noise_of(batch);
        const int64_t k = noisy.negatives_a_row;
        double loss = score_targets(batch, sentence);
        if (noisy.shared_negatives)
            return loss + score_noise(noisy, sentence, 0, sentence.count,
                                      noisy.negatives.data() + sentence.sentence * k, memory);
        for (int64_t w = 0; w < sentence.count; ++w)
            loss += score_noise(noisy, sentence, w, 1,
                                noisy.negatives.data() + (sentence.first + w) * k, memory);
        return loss;
    }

    void for_each_gradient(const Batch &batch, const float *embeddings, int dim, int threads,
                           const Apply &apply) override {
        const NoiseBatch &noisy = noise_of(batch);
        const float *negatives = negative_gradients_.floats(0);
        const int64_t k = noisy.negatives_a_row;
        std::vector<Contribution> found;
        for (int64_t w = 0; w < static_cast<int64_t>(batch.windows.size()); ++w) {
            const float *context = embeddings + w * dim;
            found.push_back({batch.ids[batch.windows[w].target], context, target_weights_[w]});
            for (int64_t i = w * k; !noisy.shared_negatives && i < (w + 1) * k; ++i)
                found.push_back({noisy.negatives[i], context, negative_weights_[i]});
        }
        for (int64_t s = 0; noisy.shared_negatives && s < batch.sentences(); ++s)
            for (int64_t i = s * k;
                 batch.first_window[s] < batch.first_window[s + 1] && i < (s + 1) * k; ++i)
                found.push_back({noisy.negatives[i], negatives + i * dim, 1});
        GradientRows(found, output_.count)
            .for_each(dim, threads,
                      [&](int64_t row, const float *gradient) { apply(0, row, gradient); });
    }

  private:
    static const NoiseBatch &noise_of(const Batch &batch) {
        return static_cast<const NoiseBatch &>(batch);
    }

    const float *output_row(int32_t id) const {
        return output_.rows + static_cast<int64_t>(id) * output_.width;
    }

    double score_targets(const Batch &batch, const Embedded &sentence) {
        const Kernels &level = kernels();
        const int dim = sentence.dim;
        double loss = 0;
        for (int64_t w = 0; w < sentence.count; ++w) {
            const float *context = sentence.embeddings + w * dim;
            const float *target = output_row(batch.ids[batch.windows[sentence.first + w].target]);
            float *weight = &target_weights_[sentence.first + w];
            level.dots(&context, 1, &target, 1, dim, weight);
            loss += level.logistic_loss(weight, 1, -1, 1, sentence.scale);
            if (sentence.gradients) level.scale(*weight, target, dim, sentence.gradients + w * dim);
        }
        return loss;
    }

    // Some of the sentence's windows against the noise words that they share.
    double score_noise(const NoiseBatch &batch, const Embedded &sentence, int64_t first,
                       int64_t count, const int32_t *negatives, Scratch &memory) {
        const Kernels &level = kernels();
        const int dim = sentence.dim, k = batch.negatives_a_row, windows = static_cast<int>(count);
        const Addresses rows(memory, windows, k);
        float *weights = &negative_weights_[(sentence.first + first) * k];
        for (int w = 0; w < windows; ++w) {
            rows.contexts[w] = sentence.embeddings + (first + w) * dim;
            rows.gradients[w] = sentence.gradients + (first + w) * dim;
        }
        for (int i = 0; i < k; ++i) rows.noise[i] = output_row(negatives[i]);
        level.dots(rows.contexts, windows, rows.noise, k, dim, weights);
        const double loss =
            level.logistic_loss(weights, windows * k, 1, scale_of_noise_, sentence.scale);
        if (!sentence.gradients) return loss;
        // The next window's rows come while this one's are added up: they lie anywhere in a large
        // table.
        if (!batch.shared_negatives && first + windows < sentence.count)
            for (int i = 0; i < k; ++i) fetch(output_row(negatives[k + i]), dim);
        level.combine({weights, k, 1}, rows.noise, k, dim, rows.gradients, windows);
        if (batch.shared_negatives) {
            float *gradients = negative_gradients_.floats(0) + sentence.sentence * k * dim;
            std::fill_n(gradients, static_cast<int64_t>(k) * dim, 0.0f);
            for (int i = 0; i < k; ++i) rows.gradients[i] = gradients + i * dim;
            level.combine({weights, 1, k}, rows.contexts, windows, dim, rows.gradients, k);
        }
        return loss;
    }

    struct Addresses {
        Addresses(Scratch &memory, int windows, int k) {
            constexpr size_t FLOATS = 2;  // that an address takes
            static_assert(FLOATS * sizeof(float) >= sizeof(void *));
            float *start = memory.floats((windows + k + std::max(windows, k)) * FLOATS);
            contexts = reinterpret_cast<const float **>(start);
            noise = contexts + windows;
            gradients = reinterpret_cast<float **>(start + (windows + k) * FLOATS);
        }

        const float **contexts, **noise;
        float **gradients;
    };

    Trained output_;
    bool mean_negatives_;
    float scale_of_noise_ = 1;
    // Derivatives of the loss by the scores of targets and noise words, a number or a row a window.
    std::vector<float> target_weights_, negative_weights_;
    Scratch negative_gradients_;  // of noise words that windows share: a row each
};

}  // namespace cmow

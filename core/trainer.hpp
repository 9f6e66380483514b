// The native training update: the sentences of a batch in parallel, then the rows of the tables in
// parallel.
//
// A sentence leaves its gradients in rows of their own; a table's row then sums what belongs to it,
// in the order of the batch, and takes its step at once. No two threads ever write the same row,
// so the bits do not depend on their number.
#pragma once

#include <vector>

#include "kernels.hpp"
#include "sampling.hpp"
#include "scratch.hpp"

namespace cmow {

// A table, and its moments for Adam.
struct Trained {
    float *rows, *first, *second;

    Trained at(int64_t place) const { return {rows + place, first + place, second + place}; }
};

struct TrainerSettings {
    bool mean_negatives;
    bool lazy;  // rows without a gradient stay as they are
    double product_rate;  // times the learning rate, for products and their columns of the output
    float beta1, beta2, epsilon;
};

class Trainer {
  public:
    Trainer(std::vector<TrainedPart> parts, std::vector<Trained> tables, Trained output,
            int64_t vocabulary, TrainerSettings settings);

    // These return the loss, summed over the windows.
    double step(const Batch &batch, int64_t adam_step, double learning_rate, int threads);
    double loss(const Batch &batch, int threads);
    // Dense gradients, for tests: one for each part, and the output table's.
    double gradients(const Batch &batch, int threads, const std::vector<float *> &out);

    int dim() const { return dim_; }
    int64_t vocabulary() const { return vocabulary_; }
    const std::vector<TrainedPart> &parts() const { return parts_; }

  private:
    // Contributions to the rows of a table, sorted by row and, within one, in the batch's order.
    struct Ledger {
        std::vector<int64_t> first;  // of each row, and the end
        std::vector<const float *> rows;
        std::vector<float> weights;

        Contributions of(int64_t row) const;
    };
    struct Entry {
        int32_t word;
        const float *row;
        float weight;
    };

    double run(const Batch &batch, int threads, bool want_gradients);
    void place_words(const Batch &batch);
    Ledger sort(const std::vector<Entry> &entries) const;
    void collect(const Batch &batch);
    template <class Apply>
    void for_rows(const Ledger &ledger, int threads, const Apply &apply);

    std::vector<TrainedPart> parts_;
    std::vector<Trained> tables_;
    Trained output_;
    int64_t vocabulary_;
    TrainerSettings settings_;
    int dim_ = 0;

    std::vector<int32_t> word_rows_;  // by position in the batch; -1: in no context
    int64_t word_row_count_ = 0;
    Scratch contexts_, negative_gradients_, word_gradients_;
    std::vector<float> target_weights_, negative_weights_;
    std::vector<double> losses_;
    std::vector<Scratch> scratch_;
    Ledger words_, outputs_;
};

}  // namespace cmow

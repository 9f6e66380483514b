// The native training update: the sentences of a batch in parallel, then the rows of the tables in
// parallel.
//
// A sentence leaves its gradients in rows of their own; a table's row then sums what belongs to it,
// in the order of the batch, and takes its step at once. No two threads ever write the same row,
// so the bits do not depend on their number.
#pragma once

#include <memory>
#include <vector>

#include "gradients.hpp"
#include "objectives/objective.hpp"

namespace cmow {

class Trainer {
  public:
    Trainer(std::shared_ptr<Objective> objective, Adam::Settings settings)
        : objective_(std::move(objective)), settings_(settings) {}

    // :param rate: of its rows and of its columns in the objective's tables, in learning rates
    void add_part(const TrainedPart &part, const Trained &table, double rate);

    // These return the loss, summed over the windows.
    double step(const Batch &batch, int64_t update, double learning_rate, int threads);
    double loss(const Batch &batch, int threads);
    // Dense gradients, for tests: one for each part, then those of the objective's tables.
    double gradients(const Batch &batch, int threads, const std::vector<float *> &out);

    // Every table that is trained: the parts', then the objective's.
    std::vector<Trained> tables() const;
    // What is wrong with a batch; empty if nothing is.
    std::string fault(const Batch &batch) const;

  private:
    double run(const Batch &batch, int threads, bool want_gradients);
    int worthwhile(const Batch &batch, int threads) const;
    CMOW_FETCHES void fetch_rows(const Batch &batch, int64_t sentence) const;
    void place_words(const Batch &batch);
    GradientRows word_gradients(const Batch &batch);
    Model model() const;

    std::shared_ptr<Objective> objective_;
    Adam::Settings settings_;
    std::vector<TrainedPart> parts_;
    std::vector<Trained> tables_;
    std::vector<Columns> rows_, views_;  // of each part, in a row of gradients and in an embedding
    int row_dim_ = 0, dim_ = 0;

    std::vector<int32_t> word_rows_;  // by position in the batch; -1: in no window
    int64_t word_row_count_ = 0;
    Scratch embeddings_, word_gradients_;
    std::vector<double> losses_;
    struct Workspace {
        Scratch parts, gradients, objective;
    };
    std::vector<Workspace> workspaces_;
};

}  // namespace cmow

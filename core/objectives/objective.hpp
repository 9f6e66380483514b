// What is learned: an objective turns the embeddings of a batch into a loss and its gradients.
//
// The trainer embeds the windows of each sentence, lets the objective score them, and passes the
// gradients back through the parts. The tables of an objective's own are updated, checked and kept
// like those of the parts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "../adam.hpp"
#include "../batch.hpp"
#include "../scratch.hpp"

namespace cmow {

// The embedded windows of a sentence.
struct Embedded {
    int64_t sentence;      // its place in the batch
    int64_t first, count;  // of its windows in the batch
    int dim;
    const float *embeddings;  // a row a window; they stay until the update is done
    float *gradients;         // to be filled, a row a window; null if none are wanted
    float scale;              // of all gradients
};

// A table of the objective's own.
struct ObjectiveTable {
    Trained table;
    bool follows_parts;  // its columns are an embedding's and step at the rates of the parts
};

class Objective {
  public:
    virtual ~Objective() = default;

    // In the order in which for_each_gradient counts them.
    virtual std::vector<ObjectiveTable> tables() const = 0;

    // What is wrong with a batch; empty if nothing is.
    virtual std::string fault(const Batch &batch) const = 0;

    // Before any sentence of a batch is scored.
    virtual void begin(const Batch &batch, int dim, bool want_gradients) = 0;

    // The loss of a sentence's windows, summed. Several threads score different sentences at once.
    virtual double score(const Batch &batch, const Embedded &sentence, Scratch &memory) = 0;

    // After all sentences: apply(table, row, gradient) for every row of the own tables, each by one
    // thread only. The gradient is null where nothing contributes.
    using Apply = std::function<void(size_t table, int64_t row, const float *gradient)>;
    virtual void for_each_gradient(const Batch &batch, const float *embeddings, int dim,
                                   int threads, const Apply &apply) = 0;
};

}  // namespace cmow

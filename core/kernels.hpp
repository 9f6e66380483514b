// What every instruction level provides: plain functions on plain memory, no policy.
#pragma once

#include <cstddef>
#include <cstdint>

#include "window.hpp"

namespace cmow {

enum class Storage { float32, float16, int8 };

// One row a token. An int8 row is neutral element + scale * numbers.
struct Table {
    const void *rows;
    const float *scales;
    Storage storage;
    int64_t count;
    int width;
};

// Cached n-grams. A node is a token (below the table's count) or a cached n-gram (from there on);
// `nodes` holds, open-addressed, which node a node becomes when a token follows it.
struct NgramTable {
    struct Slot {
        int32_t node, token, next;  // node < 0: free
    };
    const Slot *slots;
    uint64_t mask;
    const float *rows;
};

// Static: each kernel file keeps its own copy, compiled for its own level.
static inline uint64_t ngram_hash(int32_t node, int32_t token) {
    const uint64_t key = static_cast<uint64_t>(static_cast<uint32_t>(node)) << 32 |
                         static_cast<uint32_t>(token);
    return (key * 0x9e3779b97f4a7c15u) >> 29;
}

constexpr int MOST_PARTS = 16;

enum class Composition { sum, product };

struct Part {
    Composition composition;
    Table table;
    int matrix_size;            // product
    int rescale_every;          // product: multiplications that float32 surely survives
    const NgramTable *ngrams;   // product; may be null
};

enum class Normalize { none, all, parts };

struct Sequences {
    const int32_t *ids;
    const int64_t *offsets;
};

// ---- training -----------------------------------------------------------------------------------

struct TrainedPart {
    Composition composition;
    const float *table;
    int width;
    int matrix_size;  // product
};

struct Model {
    const TrainedPart *parts;
    int part_count;
    int dim;
    const float *output;    // a row for each word: the weights of its logistic regression
    float negative_weight;  // of a noise word's loss
    int longest_context;    // words
};

// One sentence of a batch: what it reads and, below, what it leaves.
struct SentenceStep {
    const int32_t *ids;  // of the batch
    int32_t first, length;
    const Window *windows;
    int window_count;
    const int32_t *negatives;
    int negative_count;
    bool shared_negatives;
    float gradient_scale;
    bool want_gradients;

    float *contexts;            // a row a window: what the parts make of its words
    float *target_weights;      // a number a window: the loss's derivative by its target's score
    float *negative_weights;    // a row a window: likewise, by the noise words' scores
    float *negative_gradients;  // shared negatives: a row each
    const int32_t *word_rows;   // by position in the batch: its row in word_gradients, or -1
    float *word_gradients;
};

// Weighted rows whose sum is the gradient of a table's row. Behind the last address there are
// more: those of the rows to be summed next.
struct Contributions {
    static constexpr int MORE = 4;

    const float *const *rows;
    const float *weights;
    int64_t count;
};

struct AdamStep {
    float beta1, beta2, epsilon;
    float rate;              // learning rate over the first moment's bias correction
    float second_correction; // square root of the second moment's
};

struct Kernels {
    const char *level;
    // Floats of scratch memory that `compose` needs for these parts.
    size_t (*compose_scratch)(const Part *parts, int count);
    // Embeddings of the sequences begin..end into rows of `out`, which is `dim` wide; returns how
    // many were too large for float32 and saturated.
    int64_t (*compose)(const Part *parts, int count, Sequences sequences, int64_t begin,
                       int64_t end, Normalize normalize, float *out, int dim, float *scratch);
    size_t (*step_scratch)(const Model &model, const SentenceStep &step);
    // The loss of a sentence's windows, summed.
    double (*step)(const Model &model, const SentenceStep &step, float *scratch);
    void (*sum_contributions)(Contributions contributions, int width, float *gradient);
    void (*adam)(const AdamStep &step, const float *gradient, int width, float *row, float *first,
                 float *second);
    double (*multiply_adds)(int64_t rounds, float *sink);
    double (*read_memory)(const float *memory, int64_t count, float *sink);
};

}  // namespace cmow

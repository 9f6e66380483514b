// What every instruction level provides: plain functions on plain memory, no policy.
#pragma once

#include <cstddef>
#include <cstdint>

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

struct Kernels {
    const char *level;
    // Floats of scratch memory that `compose` needs for these parts.
    size_t (*compose_scratch)(const Part *parts, int count);
    // Embeddings of the sequences begin..end into rows of `out`, which is `dim` wide; returns how
    // many were too large for float32 and saturated.
    int64_t (*compose)(const Part *parts, int count, Sequences sequences, int64_t begin,
                       int64_t end, Normalize normalize, float *out, int dim, float *scratch);
};

}  // namespace cmow

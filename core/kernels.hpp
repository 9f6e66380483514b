// What every instruction level provides: plain functions on plain memory, no policy.
//
// A signature is written once, as a function type; level.hpp declares the functions by it, and
// Kernels holds pointers to them.
#pragma once

#include <cstddef>
#include <cstdint>

#include "window.hpp"

namespace cmow {

// ---- tables -------------------------------------------------------------------------------------

enum class Storage { float32, float16, int8, int4 };

// One row a token. An int8 or int4 row is the part's origin + scale * numbers; a byte holds two
// numbers of int4, the first in its low half, and the high half behind a last one is not read.
struct Table {
    const void *rows;
    const float *scales;
    Storage storage;
    int64_t count;
    int width;
};

// Cached n-grams. A node is a token (below the table's count) or a cached n-gram (from there on);
// `slots` holds, open-addressed, which node a node becomes when a token follows it.
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
    const uint64_t key =
        static_cast<uint64_t>(static_cast<uint32_t>(node)) << 32 | static_cast<uint32_t>(token);
    return (key * 0x9e3779b97f4a7c15u) >> 29;
}

// ---- parts --------------------------------------------------------------------------------------

constexpr int MOST_PARTS = 16;

// Which monoid, and what it was told.
struct Form {
    int kind;                // its place in Kernels::parts
    int size;                // of a vector or of a matrix's side
    const float *constants;  // numbers that all rows share, if the kind has any
    int constant_count;
};

// A row of the table becomes an element of the monoid; the embedding shows a view of an element.
struct Widths {
    int row, element, view;
};

enum class Show { view, element };

// A part as encoding reads it.
struct Part {
    Form form;
    Widths widths;
    Table table;
    bool mean;                 // the view is what a token adds to the neutral element's on average
    int rescale_every;         // compositions that float32 surely survives
    const NgramTable *ngrams;  // may be null
};

// A part as training reads it.
struct TrainedPart {
    Form form;
    Widths widths;
    bool mean;
    const float *table;
};

// Rows that lie at equal distances.
struct Rows {
    float *data;
    int64_t stride;

    float *operator[](int64_t i) const { return data + i * stride; }
};

// The windows of one sentence of a batch.
struct Sentence {
    const int32_t *ids;  // of the batch
    int32_t first, length;
    const Window *windows;
    int window_count;
    int longest_context;       // words
    const int32_t *word_rows;  // by position in the batch: its row of gradients, or -1
};

using PartWidths = Widths(const Form &form);
// view += factor * the neutral element's view
using PartAddNeutral = void(const Form &form, float factor, float *view);
// Floats of memory for encoding with a part.
using PartEncodeMemory = size_t(const Part &part);
// What a sequence becomes is `out` times two to the power of the returned exponent.
using PartEncode = int64_t(const Part &part, const int32_t *ids, int64_t length, Show show,
                           float *out, float *memory);
// Floats of memory that a sentence's forward pass fills and its backward pass reads.
using PartTrainMemory = size_t(const TrainedPart &part, const Sentence &sentence);
// The views of the sentence's windows.
using PartForward = void(const TrainedPart &part, const Sentence &sentence, Rows views,
                         float *memory);
// From the loss's derivatives by the views to those by the rows of the sentence's words.
using PartBackward = void(const TrainedPart &part, const Sentence &sentence, Rows view_gradients,
                          Rows word_gradients, float *memory);

// An element in the layout that joining likes, times two to the power of an exponent.
struct Piece {
    const float *numbers;
    int64_t exponent;
};

using PieceWidth = int(const Form &form);
// The piece of a token; returns its exponent.
using PieceOf = int64_t(const Part &part, int32_t id, float *piece, float *memory);
// The piece of a text followed by a token, and of a token followed by a text; returns its exponent.
using PieceAppend = int64_t(const Part &part, Piece left, int32_t id, float *out, float *memory);
using PiecePrepend = int64_t(const Part &part, int32_t id, Piece right, float *out, float *memory);
// The piece of a text followed by another, or only what its view shows; returns its exponent.
using PieceJoin = int64_t(const Form &form, Piece left, Piece right, Show show, float *out);
using PieceView = void(const Form &form, const float *piece, float *view);
// Of rows that are added: sums += sign * the row of a token.
using PartAccumulate = void(const Part &part, int32_t id, float sign, double *sums, float *memory);

// Of rows that are added: sums += the row of a token that enters - that of one that leaves, and
// what they show; `later` is a token whose row will be wanted.
using PartSlide = void(const Part &part, int32_t enters, int32_t leaves, int32_t later,
                       double *sums, float *view, float *memory);

// What a kind of part can do; core/parts/ has one file a kind.
struct PartKernels {
    const char *name;
    PartWidths *widths;
    PartAddNeutral *add_neutral;
    PartEncodeMemory *encode_memory;
    PartEncode *encode;
    PartTrainMemory *train_memory;
    PartForward *forward;
    PartBackward *backward;
    PieceWidth *piece_width;
    PieceOf *piece_of;
    PieceAppend *append;
    PiecePrepend *prepend;
    PieceJoin *join;
    PieceView *piece_view;
    PartAccumulate *accumulate;  // of a kind that has this instead of pieces, or null
    PartSlide *slide;            // where there is the former
};

// ---- encoding -----------------------------------------------------------------------------------

struct Parts {
    const Part *data;
    int count;
};

struct Sequences {
    const int32_t *ids;
    const int64_t *offsets;
};

// bounded: as none, but what float32 cannot hold keeps its direction instead of its largest numbers
enum class Normalize { none, all, parts, bounded };

using ComposeMemory = size_t(Parts parts);
// Embeddings of the sequences begin..end into rows of `out`, which is `dim` wide; returns how many
// were too large for float32 and saturated, or are not finite: numbers of a damaged table.
using Compose = int64_t(Parts parts, Sequences sequences, int64_t begin, int64_t end, Show show,
                        Normalize normalize, float *out, int dim, float *memory);
// The parts' views of one text, each times two to the power of its exponent, become an embedding;
// returns whether it saturated.
using Finish = bool(Parts parts, const int64_t *exponents, int64_t length, Normalize normalize,
                    float *embedding);

// ---- training -----------------------------------------------------------------------------------

struct Model {
    const TrainedPart *parts;
    int part_count;
    int dim;      // numbers of an embedding
    int row_dim;  // numbers of all parts' rows of a word
};

using TrainMemory = size_t(const Model &model, const Sentence &sentence);
using Forward = void(const Model &model, const Sentence &sentence, float *embeddings,
                     float *memory);
// The embeddings' gradients are overwritten.
using Backward = void(const Model &model, const Sentence &sentence, float *embedding_gradients,
                      float *word_gradients, float *memory);

// ---- linear algebra for objectives and the optimizer --------------------------------------------

// out[a][b] = x[a] · y[b]
using Dots = void(const float *const *x, int x_count, const float *const *y, int y_count, int width,
                  float *out);

struct Weights {
    const float *data;
    int row, column;  // strides
};

// out[r] += sum over k of weights(r, k) * in[k]
using Combine = void(Weights weights, const float *const *in, int in_count, int width,
                     float *const *out, int out_count);
// to = from, rounded
using Narrow = void(const double *from, int count, float *to);
// out = weight * row
using Scale = void(float weight, const float *row, int width, float *out);
// The sum of weight * log(1 + exp(sign * score)); the scores become their derivatives * scale.
using LogisticLoss = double(float *scores, int count, float sign, float weight, float scale);

// Weighted rows whose sum is the gradient of a table's row. Behind the last address there are
// more: those of the rows to be summed next.
struct Contributions {
    static constexpr int MORE = 4;

    const float *const *rows;
    const float *weights;
    int64_t count;
};

// The sum of some columns.
using SumContributions = void(Contributions contributions, int first, int columns, float *sum);

struct AdamStep {
    float beta1, beta2, epsilon;
    float rate;               // learning rate over the first moment's bias correction
    float second_correction;  // square root of the second moment's
};

// A step of some numbers; without a gradient it is taken as zero.
using AdamUpdate = void(const AdamStep &step, const float *gradient, int width, float *row,
                        float *first_moment, float *second_moment);

// ---- search -------------------------------------------------------------------------------------

// out[q][r] = query q · row first + r, of a float32, float16 or int8 table, without its scales.
// Behind each query there are zeros up to its stride, a multiple of 16.
using Scores = void(const Table &table, int64_t first, int row_count, const float *queries,
                    int query_count, int query_stride, float *out);

// Rows as bytes, scale * (number - 128) each, to sort out most of them quickly. In `numbers`, all
// rows have four columns side by side, then the next four. A product with a query is off by no more
// than the query's norm * error + the query's error * norm.
struct ByteRows {
    static constexpr int COUNT = 64;

    uint8_t *numbers;
    float *scales, *errors, *norms;
};

// Queries as bytes, scale * number each, four columns in an integer.
struct ByteQueries {
    const int32_t *numbers;
    const int32_t *starts;  // -128 * the sum of a query's numbers
    const float *scales, *errors, *norms;
    int quads;  // integers of a query
};

// Rows of a table as bytes; `count` of ByteRows::COUNT.
//
// :param errors: how far each row is from the one that is meant; may be null
// :param weights: what each row is multiplied by; may be null
using PackRows = void(const Table &table, const float *errors, int64_t first, int count,
                      const float *weights, ByteRows out);
// The rows whose product with a query, summed over all blocks, may be as large as its `least`: a
// bit each.
using Promising = void(const ByteRows *rows, const ByteQueries *queries, int block_count,
                       int query_count, const float *least, uint64_t *promising);

// ---- what the machine can do --------------------------------------------------------------------

using MultiplyAdds = double(int64_t rounds, float *sink);
using ReadMemory = double(const float *memory, int64_t count, float *sink);

struct Kernels {
    const char *level;
    const PartKernels *parts;  // the last one has no name
    ComposeMemory *compose_memory;
    Compose *compose;
    Finish *finish;
    TrainMemory *train_memory;
    Forward *forward;
    Backward *backward;
    Dots *dots;
    Combine *combine;
    Narrow *narrow;
    Scale *scale;
    LogisticLoss *logistic_loss;
    SumContributions *sum_contributions;
    AdamUpdate *adam;
    Scores *scores;
    PackRows *pack_rows;   // null where a level has no products of bytes, as is the next;
    Promising *promising;  // has_byte_products() knows whether the processor has them, too
    MultiplyAdds *multiply_adds;
    ReadMemory *read_memory;
};

// One for each level; a build has those of its processor's family only.
namespace plain { extern const Kernels KERNELS; }
namespace avx2 { extern const Kernels KERNELS; }
namespace avx512 { extern const Kernels KERNELS; }
namespace neon { extern const Kernels KERNELS; }

}  // namespace cmow

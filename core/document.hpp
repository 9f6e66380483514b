// A text that is cut anywhere: the embedding of each of its spans, without composing it anew.
//
// Of rows that are added there are the sums of all beginnings, in double, of which two differ by a
// span. Of other parts there is a tree: pieces of 8 tokens, of 16, of 32 and so on, each made when
// its last token comes. A span is joined from a few of them; nothing is ever divided.
#pragma once

#include <cstdint>
#include <vector>

#include "composer.hpp"

namespace cmow {

struct Spans {
    const int64_t *begins, *ends;  // places of tokens
    int64_t count;
};

class Document {
  public:
    // :param composer: outlives the document
    explicit Document(const Composer &composer);

    // Throws std::out_of_range for an id without a row.
    void append(const int32_t *ids, int64_t count);

    int64_t length() const { return static_cast<int64_t>(ids_.size()); }
    const Composer &composer() const { return composer_; }

    // Embeddings of spans; returns how many saturated.
    int64_t spans(Spans spans, Normalize normalize, float *out, int threads) const;

    // The same of spans neither end of which ever goes back: three joins for each.
    int64_t windows(Spans spans, Normalize normalize, float *out, int threads) const;

    // The cosines of a unit vector with all spans that begin at one of some bounds and end at one
    // of the `width` bounds behind it; minus infinity where there is none or it has no tokens.
    //
    // :param first: the first of the bounds that spans begin at, `count` of them
    // :param out: `width` for each
    void scores(const std::vector<int64_t> &bounds, int64_t first, int64_t count, int width,
                const float *query, float *out, int threads) const;

  private:
    class Sum;      // of rows that are added
    class Running;  // a piece that grows to the right
    class Growing;  // a span of any part that grows to the right
    class Sliding;  // spans that move on
    class Output;   // views on their way to embeddings

    // Pieces of equal width, one behind the other.
    struct Pieces {
        std::vector<float> numbers;
        std::vector<int64_t> exponents;
    };

    // What is kept of a part.
    struct Kept {
        std::vector<double> sums;    // of the tokens before each block
        std::vector<Pieces> levels;  // of 1, 2, 4, … blocks
    };

    const PartKernels &kind(int part) const;
    Piece piece(const Pieces &pieces, int width, int64_t number) const;
    void add_block(int part);
    int64_t span_view(int part, int64_t begin, int64_t end, float *view, Scratch &memory) const;
    void add_rows(int part, float sign, int64_t begin, int64_t end, double *sums,
                  float *memory) const;

    const Composer &composer_;
    const Kernels &level_;  // which has laid out the pieces
    std::vector<int32_t> ids_;
    std::vector<Kept> kept_;
};

}  // namespace cmow

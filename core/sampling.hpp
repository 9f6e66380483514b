// Batches of windows and noise words, drawn from a corpus of token ids.
#pragma once

#include <cstdint>
#include <vector>

#include "batch.hpp"
#include "corpus.hpp"
#include "random.hpp"

namespace cmow {

// Draws from a fixed distribution with one random number and one look-up (Walker's alias method).
class AliasTable {
  public:
    AliasTable(const double *weights, int64_t count);
    int32_t draw(Random &random) const;

  private:
    struct Cell {
        uint64_t threshold;  // of 2^64: below it the cell's own outcome, else the other
        int32_t other;
    };
    std::vector<Cell> cells_;
};

struct NoiseBatch : Batch {
    std::vector<int32_t> negatives;  // a row for each sentence, or for each window
    int negatives_a_row = 0;
    bool shared_negatives = false;
};

struct SamplerSettings {
    uint64_t seed;
    int batch_sentences;
    int centres;    // at most so many windows a sentence
    int window;     // words to each side of the center
    int negatives;  // noise words
    bool random_target;
    bool share_negatives;
    int64_t validation_sentences;
};

class Sampler {
  public:
    Sampler(const Corpus &corpus, AliasTable noise, const float *keep, SamplerSettings settings);

    // The batch of an update, or every `world`-th sentence of it, from the `rank`-th on.
    NoiseBatch batch(int64_t update, int threads, int rank, int world) const;
    // The same windows and negatives every time.
    NoiseBatch validation_batch(int64_t index, int threads) const;

    int64_t sentences_per_epoch() const {
        return corpus_.sentences() - settings_.validation_sentences;
    }
    int64_t validation_batches() const;

  private:
    struct Draw {
        int64_t sentence;
        uint64_t stream, index;
    };
    Draw training_draw(int64_t position) const;
    void sample(const Draw &draw, NoiseBatch &batch) const;
    void take_words(int64_t sentence, Random &random, std::vector<int32_t> &ids) const;
    template <class DrawOf>
    NoiseBatch assemble(int64_t count, int threads, const DrawOf &draw_of) const;

    Corpus corpus_;
    AliasTable noise_;
    const float *keep_;  // chance to keep a word, by id; null: all are kept
    SamplerSettings settings_;
};

}  // namespace cmow

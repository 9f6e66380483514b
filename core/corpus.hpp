// A corpus of token ids in memory that others may write to, such as mapped files.
#pragma once

#include <cstdint>
#include <vector>

namespace cmow {

class Corpus {
  public:
    // :param offsets: where each of the sentences starts in `flat`, and where the last one ends
    // :param vocabulary: all ids are to be below
    Corpus(const int32_t *flat, int64_t tokens, const int64_t *offsets, int64_t sentences,
           int64_t vocabulary)
        : flat_(flat), tokens_(tokens), offsets_(offsets), sentences_(sentences),
          vocabulary_(vocabulary) {}

    int64_t sentences() const { return sentences_; }

    // Appends the ids of a sentence. Throws std::runtime_error for one that is not whole, also if
    // it was when the corpus was checked.
    void append(int64_t sentence, std::vector<int32_t> &ids) const;

  private:
    const int32_t *flat_;
    int64_t tokens_;
    const int64_t *offsets_;
    int64_t sentences_;
    int64_t vocabulary_;
};

// The first of some ids that a vocabulary lacks, or -1.
int64_t first_unknown(const int32_t *ids, int64_t count, int64_t vocabulary, int threads);

// The first of some offsets that is less than the one before it, or more than `most`; or -1.
// :param least: what the first one must not be less than
int64_t first_fallen(const int64_t *offsets, int64_t count, int64_t least, int64_t most,
                     int threads);

}  // namespace cmow

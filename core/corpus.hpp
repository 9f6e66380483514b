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

    // The first of the offsets that is not as it must be, or -1.
    int64_t bad_offset(int threads) const;
    // The place of the first id that the vocabulary lacks, or -1.
    int64_t bad_id(int threads) const;

  private:
    bool knows(int32_t id) const {
        return static_cast<uint32_t>(id) < static_cast<uint64_t>(vocabulary_);
    }

    const int32_t *flat_;
    int64_t tokens_;
    const int64_t *offsets_;
    int64_t sentences_;
    int64_t vocabulary_;
};

}  // namespace cmow

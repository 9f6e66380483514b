// Words and their numbers, and how to look them up.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ragged_ids.hpp"
#include "splitter.hpp"

namespace cmow {

// Numbers words in the order in which they are added: an open-addressing hash table over one block
// of bytes. Look-up allocates nothing and is safe from many threads.
class WordIndex {
  public:
    static constexpr int32_t UNKNOWN = -1;

    WordIndex() : slots_(16) {}

    int32_t add(std::string_view word);  // the number it has, or now gets
    int32_t find(std::string_view word) const { return slots_[slot_of(word)].number; }

    int64_t size() const { return static_cast<int64_t>(starts_.size()) - 1; }
    std::string_view word(int64_t number) const {
        return {bytes_.data() + starts_[number],
                static_cast<size_t>(starts_[number + 1] - starts_[number])};
    }

  private:
    struct Slot {
        uint64_t head = 0;  // up to eight bytes: all of most words, which needs no second look
        uint32_t size = 0;
        int32_t number = UNKNOWN;
    };

    size_t slot_of(std::string_view word) const;  // where it is or would be
    void grow();

    std::vector<Slot> slots_;  // a power of two, at most half of them taken
    std::vector<char> bytes_;
    std::vector<uint64_t> starts_{0};
};

// A splitter and the numbers of the words it may find; safe from many threads.
class Words {
  public:
    Words(Splitter splitter, const std::vector<std::string_view> &words);

    const Splitter &splitter() const { return splitter_; }

    // Appends the ids of one text.
    void append(std::string_view text, std::string &scratch, RaggedIds &ids) const;

  private:
    Splitter splitter_;
    WordIndex index_;
};

}  // namespace cmow

// Words and how often each of them occurs.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "words.hpp"

namespace cmow {

// How often each word occurs. Calls from several threads wait for each other.
class WordCounter {
  public:
    explicit WordCounter(Splitter splitter) : splitter_(splitter) {}

    void add_lines(std::string_view block);
    void merge(const WordCounter &other);
    int64_t total() const;  // words seen

    // The `size` most frequent words, by count, then by code points.
    std::vector<std::pair<std::string, int64_t>> most_common(int64_t size,
                                                             int64_t minimum_count) const;

  private:
    void add(std::string_view word, int64_t count);

    Splitter splitter_;
    mutable std::mutex mutex_;
    WordIndex index_;
    std::vector<int64_t> counts_;
};

}  // namespace cmow

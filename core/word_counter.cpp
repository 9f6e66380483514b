#include "word_counter.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>

namespace cmow {

void WordCounter::add(std::string_view word, int64_t count) {
    const size_t number = static_cast<size_t>(index_.add(word));
    if (number == counts_.size()) counts_.push_back(0);
    counts_[number] += count;
}

void WordCounter::add_lines(std::string_view block) {
    const std::lock_guard lock(mutex_);
    std::string scratch;
    for_each_line(block, [&](std::string_view line) {
        splitter_.split(line, scratch, [&](std::string_view word) { add(word, 1); });
    });
}

void WordCounter::merge(const WordCounter &other) {
    if (this == &other) throw std::invalid_argument("a counter cannot be merged with itself");
    const std::scoped_lock lock(mutex_, other.mutex_);
    for (int64_t i = 0; i < other.index_.size(); ++i) add(other.index_.word(i), other.counts_[i]);
}

int64_t WordCounter::total() const {
    const std::lock_guard lock(mutex_);
    return std::accumulate(counts_.begin(), counts_.end(), int64_t{0});
}

std::vector<std::pair<std::string, int64_t>> WordCounter::most_common(int64_t size,
                                                                      int64_t minimum_count) const {
    const std::lock_guard lock(mutex_);
    std::vector<int64_t> order;
    for (int64_t i = 0; i < index_.size(); ++i)
        if (counts_[i] >= minimum_count) order.push_back(i);
    const auto more_common = [&](int64_t a, int64_t b) {
        return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : index_.word(a) < index_.word(b);
    };
    const auto stop =
        order.begin() + std::clamp<int64_t>(size, 0, static_cast<int64_t>(order.size()));
    std::nth_element(order.begin(), stop, order.end(), more_common);
    std::sort(order.begin(), stop, more_common);
    std::vector<std::pair<std::string, int64_t>> common;
    for (auto i = order.begin(); i != stop; ++i) common.emplace_back(index_.word(*i), counts_[*i]);
    return common;
}

}  // namespace cmow

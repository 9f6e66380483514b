#include "corpus.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace cmow {

namespace {

constexpr int64_t CHUNK = 1 << 18;  // numbers checked at a time

// The smallest i below count that is bad, or -1; any(begin, end) tells quickly whether one is.
template <class Any, class Bad>
int64_t first_bad(int64_t count, int threads, const Any &any, const Bad &bad) {
    std::atomic<int64_t> first{count};
    parallel_for(count, CHUNK, threads, [&](int, int64_t begin, int64_t end) {
        if (begin >= first || !any(begin, end)) return;
        while (begin < end && !bad(begin)) ++begin;
        for (int64_t known = first; begin < known && !first.compare_exchange_weak(known, begin);) {
        }
    });
    return first < count ? first.load() : -1;
}

}  // namespace

void Corpus::append(int64_t sentence, std::vector<int32_t> &ids) const {
    // Read once: whoever else writes them, what was checked is what is used.
    const volatile int64_t *const offsets = offsets_;
    const int64_t begin = offsets[sentence], end = offsets[sentence + 1];
    const size_t first = ids.size();
    bool whole = 0 <= begin && begin <= end && end <= tokens_;
    if (whole) ids.insert(ids.end(), flat_ + begin, flat_ + end);
    for (size_t i = first; i < ids.size(); ++i) whole &= knows(ids[i]);
    if (!whole)
        throw std::runtime_error("sentence " + std::to_string(sentence) +
                                 " of the corpus is damaged: prepare the corpus again");
}

int64_t Corpus::bad_offset(int threads) const {
    const auto bad = [&](int64_t i) {
        const int64_t least = i == sentences_ ? tokens_ : i == 0 ? 0 : offsets_[i - 1];
        const int64_t most = i == 0 ? 0 : tokens_;
        return offsets_[i] < least || offsets_[i] > most;
    };
    const auto any = [&](int64_t begin, int64_t end) {
        bool found = false;
        for (int64_t i = begin; i < end; ++i) found |= bad(i);
        return found;
    };
    return first_bad(sentences_ + 1, threads, any, bad);
}

int64_t Corpus::bad_id(int threads) const {
    const auto any = [&](int64_t begin, int64_t end) {
        uint32_t largest = 0;  // as an unsigned number, a negative one is larger than any id
        for (int64_t i = begin; i < end; ++i)
            largest = std::max(largest, static_cast<uint32_t>(flat_[i]));
        return begin < end && !knows(static_cast<int32_t>(largest));
    };
    return first_bad(tokens_, threads, any, [&](int64_t i) { return !knows(flat_[i]); });
}

}  // namespace cmow

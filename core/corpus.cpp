#include "corpus.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>

#include "parallel.hpp"

namespace cmow {

namespace {

constexpr int64_t CHUNK = 1 << 18;  // numbers checked at a time

bool known(int32_t id, int64_t vocabulary) {
    return static_cast<uint32_t>(id) < static_cast<uint64_t>(vocabulary);
}

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
    for (size_t i = first; i < ids.size(); ++i) whole &= known(ids[i], vocabulary_);
    if (!whole)
        throw std::runtime_error("sentence " + std::to_string(sentence) +
                                 " of the corpus is damaged: prepare the corpus again");
}

int64_t first_unknown(const int32_t *ids, int64_t count, int64_t vocabulary, int threads) {
    const auto any = [&](int64_t begin, int64_t end) {
        uint32_t largest = 0;  // as an unsigned number, a negative one is larger than any id
        for (int64_t i = begin; i < end; ++i)
            largest = std::max(largest, static_cast<uint32_t>(ids[i]));
        return begin < end && !known(static_cast<int32_t>(largest), vocabulary);
    };
    return first_bad(count, threads, any, [&](int64_t i) { return !known(ids[i], vocabulary); });
}

int64_t first_fallen(const int64_t *offsets, int64_t count, int64_t least, int64_t most,
                     int threads) {
    const auto bad = [&](int64_t i) {
        return offsets[i] < (i == 0 ? least : offsets[i - 1]) || offsets[i] > most;
    };
    const auto any = [&](int64_t begin, int64_t end) {
        bool found = false;
        for (int64_t i = begin; i < end; ++i) found |= bad(i);
        return found;
    };
    return first_bad(count, threads, any, bad);
}

}  // namespace cmow

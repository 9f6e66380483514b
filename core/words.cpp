#include "words.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <stdexcept>

namespace cmow {

namespace {

constexpr uint64_t MULTIPLIER = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio

template <class Integer>
uint64_t load(const char *from) {
    Integer value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

// The first bytes of a word, up to eight; overlapping loads never read beyond it.
uint64_t head_of(std::string_view word) {
    const char *first = word.data(), *end = first + word.size();
    if (word.size() >= 8) return load<uint64_t>(first);
    if (word.size() >= 4) return load<uint32_t>(first) | load<uint32_t>(end - 4) << 32;
    if (word.size() >= 2) return load<uint16_t>(first) | load<uint16_t>(end - 2) << 16;
    return word.empty() ? 0 : load<uint8_t>(first);
}

uint64_t mix(uint64_t state) {
    state *= MULTIPLIER;
    return state ^ state >> 32;
}

uint64_t hash(std::string_view word, uint64_t head) {
    uint64_t state = mix(head ^ static_cast<uint64_t>(word.size()) << 56);
    while (word.size() > 8) {
        word.remove_prefix(std::min<size_t>(8, word.size() - 8));
        state = mix(state ^ load<uint64_t>(word.data()));
    }
    return state;
}

}  // namespace

size_t WordIndex::slot_of(std::string_view word) const {
    const uint64_t head = head_of(word);
    const size_t mask = slots_.size() - 1;
    for (size_t at = hash(word, head) & mask;; at = (at + 1) & mask) {
        const Slot &slot = slots_[at];
        if (slot.number == UNKNOWN) return at;
        if (slot.head == head && slot.size == word.size() &&
            (word.size() <= 8 || this->word(slot.number) == word))
            return at;
    }
}

int32_t WordIndex::add(std::string_view word) {
    Slot &slot = slots_[slot_of(word)];
    if (slot.number != UNKNOWN) return slot.number;
    if (size() == std::numeric_limits<int32_t>::max()) throw std::length_error("too many words");
    const int32_t number = static_cast<int32_t>(size());
    slot = {.head = head_of(word), .size = static_cast<uint32_t>(word.size()), .number = number};
    bytes_.insert(bytes_.end(), word.begin(), word.end());
    starts_.push_back(bytes_.size());
    if (static_cast<size_t>(size()) * 2 > slots_.size()) grow();
    return number;
}

void WordIndex::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot &slot : old)
        if (slot.number != UNKNOWN) slots_[slot_of(word(slot.number))] = slot;
}

Words::Words(Splitter splitter, const std::vector<std::string_view> &words) : splitter_(splitter) {
    for (std::string_view word : words) index_.add(word);
}

void Words::append(std::string_view text, std::string &scratch, RaggedIds &ids) const {
    splitter_.split(text, scratch, [&](std::string_view word) {
        const int32_t number = index_.find(word);
        if (number == WordIndex::UNKNOWN)
            ++ids.discarded;
        else
            ids.flat.push_back(number);
    });
    ids.offsets.push_back(static_cast<int64_t>(ids.flat.size()));
}

}  // namespace cmow

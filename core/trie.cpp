#include "trie.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace cmow {

namespace {

constexpr int32_t BYTES = 256;
constexpr int32_t WINDOW = 64;  // gaps further from the end are given up, for time
constexpr int32_t LARGEST = std::numeric_limits<int32_t>::max() / 2;

}  // namespace

Trie::Trie(const std::vector<std::string_view> &keys) : units_(4 * BYTES) {
    units_[ROOT] = {.base = 1, .parent = ROOT};  // taken; no base is 0, so it is nobody's child
    std::vector<int32_t> order(keys.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int32_t a, int32_t b) { return keys[a] < keys[b]; });

    struct Task {
        int32_t node;
        size_t first, last, depth;  // the keys below the node, in order
    };
    std::vector<Task> tasks{{ROOT, 0, keys.size(), 0}};
    std::vector<uint8_t> bytes;
    std::vector<size_t> edges;
    while (!tasks.empty()) {
        auto [node, first, last, depth] = tasks.back();
        tasks.pop_back();
        while (first < last && keys[order[first]].size() == depth)
            units_[node].key = order[first++];
        bytes.clear();
        edges.clear();
        for (size_t i = first; i < last; ++i) {
            const auto byte = static_cast<uint8_t>(keys[order[i]][depth]);
            if (!bytes.empty() && bytes.back() == byte) continue;
            bytes.push_back(byte);
            edges.push_back(i);
        }
        if (bytes.empty()) continue;
        edges.push_back(last);
        const int32_t base = free_base(bytes);
        units_[node].base = base;
        for (size_t i = 0; i < bytes.size(); ++i) units_[base + bytes[i]].parent = node;
        for (size_t i = bytes.size(); i-- > 0;)
            tasks.push_back({base + bytes[i], edges[i], edges[i + 1], depth + 1});
    }
}

// The first base near the end whose places for these bytes are free.
int32_t Trie::free_base(const std::vector<uint8_t> &bytes) {
    while (units_[first_free_].parent != NONE) ++first_free_;
    const auto is_free = [&](int32_t base) {
        const auto free = [&](uint8_t byte) { return units_[base + byte].parent == NONE; };
        return std::all_of(bytes.begin(), bytes.end(), free);
    };
    int32_t base = std::max(1, std::max(first_free_, last_ - WINDOW) - bytes.front());
    while (!is_free(base)) ++base;
    last_ = std::max(last_, base + bytes.back());
    if (last_ > LARGEST) throw std::length_error("too many pieces");
    if (static_cast<size_t>(last_) + 2 * BYTES > units_.size()) units_.resize(2 * units_.size());
    return base;
}

int32_t Trie::node_of(std::string_view beginning) const {
    int32_t node = ROOT;
    for (size_t i = 0; i < beginning.size() && node != NONE; ++i) node = child(node, beginning[i]);
    return node;
}

}  // namespace cmow

// Ids of many texts, one behind the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parallel.hpp"

namespace cmow {

struct RaggedIds {
    std::vector<int32_t> flat;
    std::vector<int64_t> offsets{0};
    int64_t discarded = 0;  // tokens that have no id, which are left out
};

template <class Visit>
void for_each_line(std::string_view block, const Visit &visit) {
    while (!block.empty()) {
        const size_t stop = std::min(block.find('\n'), block.size());
        visit(block.substr(0, stop));
        block.remove_prefix(std::min(stop + 1, block.size()));
    }
}

inline RaggedIds concatenate(std::vector<RaggedIds> chunks) {
    if (chunks.size() == 1) return std::move(chunks.front());
    RaggedIds all;
    std::vector<int64_t> starts{0};
    for (const RaggedIds &chunk : chunks) {
        for (size_t i = 1; i < chunk.offsets.size(); ++i)
            all.offsets.push_back(starts.back() + chunk.offsets[i]);
        starts.push_back(all.offsets.back());
        all.discarded += chunk.discarded;
    }
    all.flat.resize(starts.back());
    for (size_t i = 0; i < chunks.size(); ++i)
        std::copy(chunks[i].flat.begin(), chunks[i].flat.end(), all.flat.begin() + starts[i]);
    return all;
}

// The ids of each text by a tokenizer's append(text, scratch, ids).
template <class Tokenizer>
RaggedIds ids_of_texts(const Tokenizer &tokenizer, const std::vector<std::string_view> &texts,
                       int threads) {
    constexpr int64_t PER_CHUNK = 512;
    const int64_t count = static_cast<int64_t>(texts.size());
    std::vector<RaggedIds> chunks((count + PER_CHUNK - 1) / PER_CHUNK);
    parallel_for(count, PER_CHUNK, threads, [&](int, int64_t begin, int64_t end) {
        std::string scratch;
        for (int64_t i = begin; i < end; ++i)
            tokenizer.append(texts[i], scratch, chunks[begin / PER_CHUNK]);
    });
    return concatenate(std::move(chunks));
}

// The same of each line of a block, on the calling thread.
template <class Tokenizer>
RaggedIds ids_of_lines(const Tokenizer &tokenizer, std::string_view block) {
    RaggedIds ids;
    std::string scratch;
    for_each_line(block, [&](std::string_view line) { tokenizer.append(line, scratch, ids); });
    return ids;
}

}  // namespace cmow

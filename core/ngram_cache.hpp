// The index of cached n-grams; see NgramTable.
#pragma once

#include <stdexcept>
#include <vector>

#include "kernels.hpp"

namespace cmow {

class NgramCache {
  public:
    // :param nodes: pairs: n-gram j is node vocabulary + j, an earlier node followed by a token
    NgramCache(const int32_t *nodes, int64_t count, const float *rows, int width,
               int64_t vocabulary)
        : width_(width) {
        uint64_t size = 16;
        while (size < static_cast<uint64_t>(count) * 2) size *= 2;
        slots_.assign(size, {.node = -1, .token = -1, .next = -1});
        for (int64_t j = 0; j < count; ++j) {
            const int32_t node = nodes[2 * j], token = nodes[2 * j + 1];
            const int32_t next = static_cast<int32_t>(vocabulary + j);
            if (node < 0 || node >= next || token < 0 || token >= vocabulary)
                throw std::out_of_range("an n-gram extends an earlier node by a token");
            uint64_t i = ngram_hash(node, token);
            while (slots_[i & (size - 1)].node >= 0) ++i;
            slots_[i & (size - 1)] = {.node = node, .token = token, .next = next};
        }
        table_ = {.slots = slots_.data(), .mask = size - 1, .rows = rows};
    }

    // The table points into this object.
    NgramCache(const NgramCache &) = delete;
    NgramCache &operator=(const NgramCache &) = delete;

    const NgramTable &table() const { return table_; }
    int width() const { return width_; }

  private:
    int width_;
    std::vector<NgramTable::Slot> slots_;
    NgramTable table_;
};

}  // namespace cmow

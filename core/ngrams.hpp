// Reads a sequence as nodes: tokens, or the longest cached n-grams from left to right.
#pragma once

#include "parts/part.hpp"

namespace cmow::CMOW_LEVEL {

template <class Kind>
class Nodes {
  public:
    Nodes(const Part &part, const int32_t *ids, int64_t length)
        : part_(part), id_(ids), end_(ids + length) {}

    int64_t next() {  // -1 at the end
        if (id_ == end_) return -1;
        int32_t node = *id_++;
        if (part_.ngrams)
            for (int32_t longer; id_ != end_ && (longer = follow(node, *id_)) >= 0; ++id_)
                node = longer;
        return node;
    }

    // What a node composes to: in place, or else in `buffer`, behind which a row has room.
    const float *element(int64_t node, float *buffer) const {
        const Table &table = part_.table;
        const int width = part_.widths.element;
        if (node >= table.count) return part_.ngrams->rows + (node - table.count) * width;
        return Kind::lift(part_.form, row_of<Kind>(part_, node, buffer + width), buffer);
    }

    Ahead memory(int64_t node) const {
        const Table &table = part_.table;
        if (node < 0) return {};
        if (node < table.count) return {address_of(table, node), address_of(table, node + 1)};
        const Table cached{.rows = part_.ngrams->rows,
                           .scales = nullptr,
                           .storage = Storage::float32,
                           .count = 0,
                           .width = part_.widths.element};
        return {address_of(cached, node - table.count), address_of(cached, node - table.count + 1)};
    }

  private:
    int32_t follow(int32_t node, int32_t token) const {
        const NgramTable &ngrams = *part_.ngrams;
        for (uint64_t i = ngram_hash(node, token);; ++i) {
            const NgramTable::Slot &slot = ngrams.slots[i & ngrams.mask];
            if (slot.node == node && slot.token == token) return slot.next;
            if (slot.node < 0) return -1;
        }
    }

    const Part &part_;
    const int32_t *id_, *end_;
};

}  // namespace cmow::CMOW_LEVEL

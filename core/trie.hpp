// A trie of byte strings, for the longest one that a text begins with.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace cmow {

// A double array: the child of a node by a byte is at the node's base plus the byte, if what is
// there names the node as its parent.
class Trie {
  public:
    static constexpr int32_t NONE = -1;
    static constexpr int32_t ROOT = 0;

    struct Match {
        int32_t key = NONE;  // its place in the list of keys
        size_t size = 0;
    };

    explicit Trie(const std::vector<std::string_view> &keys);

    // The node of all keys that begin with this, or NONE.
    int32_t node_of(std::string_view beginning) const;

    // The longest key below a node that a text begins with, but for the empty one.
    Match longest(std::string_view text, int32_t node = ROOT) const {
        Match match;
        for (size_t i = 0; i < text.size(); ++i) {
            node = child(node, text[i]);
            if (node == NONE) break;
            if (units_[node].key != NONE) match = {units_[node].key, i + 1};
        }
        return match;
    }

  private:
    struct Unit {
        int32_t base = 0;
        int32_t parent = NONE;  // none: free
        int32_t key = NONE;
    };

    int32_t child(int32_t node, char byte) const {
        const int32_t at = units_[node].base + static_cast<uint8_t>(byte);
        return units_[at].parent == node ? at : NONE;
    }

    int32_t free_base(const std::vector<uint8_t> &bytes);

    std::vector<Unit> units_;  // always with room for all children of a base
    int32_t first_free_ = 1;
    int32_t last_ = 0;  // that is taken
};

}  // namespace cmow

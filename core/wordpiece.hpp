// WordPiece: each word as the longest pieces that it is made of, from left to right.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bert.hpp"
#include "ragged_ids.hpp"
#include "trie.hpp"

namespace cmow {

// Tokens that are found in the text as it is, before anything else.
struct AddedTokens {
    std::vector<std::string_view> texts;
    std::vector<int32_t> ids;
};

// Safe from many threads. The place of a piece is its id.
class WordPiece {
  public:
    struct Settings {
        int32_t unknown;          // the id for a word that no pieces make up
        std::string_view prefix;  // of pieces that continue a word
        int64_t longest_word;     // in characters; longer ones are unknown
    };

    WordPiece(BertSplitter splitter, const std::vector<std::string_view> &pieces,
              const Settings &settings, const AddedTokens &added);

    // Appends the ids of a text of valid UTF-8, the unknown's among them.
    void tokenize(std::string_view text, std::string &scratch, std::vector<int32_t> &ids) const;

    // The same, but the unknown ones are discarded.
    void append(std::string_view text, std::string &scratch, RaggedIds &ids) const;

  private:
    void tokenize_word(std::string_view word, std::vector<int32_t> &ids) const;
    bool is_too_long(std::string_view word) const;

    BertSplitter splitter_;
    Trie pieces_;
    int32_t unknown_;
    int32_t inside_;  // the node of the pieces that continue a word
    int64_t longest_word_;
    Trie added_;
    std::vector<int32_t> added_ids_;
    std::array<bool, 256> begins_added_{};
};

}  // namespace cmow

#include "wordpiece.hpp"

#include <algorithm>

namespace cmow {

WordPiece::WordPiece(BertSplitter splitter, const std::vector<std::string_view> &pieces,
                     const Settings &settings, const AddedTokens &added)
    : splitter_(splitter), pieces_(pieces), unknown_(settings.unknown),
      inside_(pieces_.node_of(settings.prefix)), longest_word_(settings.longest_word),
      added_(added.texts), added_ids_(added.ids) {
    for (const std::string_view text : added.texts)
        if (!text.empty()) begins_added_[static_cast<uint8_t>(text.front())] = true;
}

void WordPiece::tokenize(std::string_view text, std::string &scratch,
                         std::vector<int32_t> &ids) const {
    const auto tokenize_words = [&](std::string_view words) {
        splitter_.split(words, scratch, [&](std::string_view word) { tokenize_word(word, ids); });
    };
    for (size_t i = 0; i < text.size();) {
        if (!begins_added_[static_cast<uint8_t>(text[i])]) {
            ++i;
            continue;
        }
        const Trie::Match match = added_.longest(text.substr(i));
        if (match.key == Trie::NONE) {
            ++i;
            continue;
        }
        tokenize_words(text.substr(0, i));
        ids.push_back(added_ids_[match.key]);
        text.remove_prefix(i + match.size);
        i = 0;
    }
    tokenize_words(text);
}

void WordPiece::append(std::string_view text, std::string &scratch, RaggedIds &ids) const {
    const size_t start = ids.flat.size();
    tokenize(text, scratch, ids.flat);
    const auto stop = std::remove(ids.flat.begin() + start, ids.flat.end(), unknown_);
    ids.discarded += ids.flat.end() - stop;
    ids.flat.erase(stop, ids.flat.end());
    ids.offsets.push_back(static_cast<int64_t>(ids.flat.size()));
}

void WordPiece::tokenize_word(std::string_view word, std::vector<int32_t> &ids) const {
    const size_t start = ids.size();
    if (!is_too_long(word)) {
        Trie::Match match = pieces_.longest(word);
        while (match.key != Trie::NONE) {
            ids.push_back(match.key);
            word.remove_prefix(match.size);
            if (word.empty()) return;
            match = inside_ == Trie::NONE ? Trie::Match{} : pieces_.longest(word, inside_);
        }
    }
    ids.resize(start);
    ids.push_back(unknown_);
}

bool WordPiece::is_too_long(std::string_view word) const {
    if (static_cast<int64_t>(word.size()) <= longest_word_) return false;
    const auto begins = [](char byte) { return (static_cast<uint8_t>(byte) & 0xC0) != 0x80; };
    return std::count_if(word.begin(), word.end(), begins) > longest_word_;
}

}  // namespace cmow

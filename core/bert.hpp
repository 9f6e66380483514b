// Splits a text into words as BERT does: normalizer and pre-tokenizer of `tokenizers`, to the
// letter.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "bert_characters.hpp"

namespace cmow {

struct BertOptions {
    bool clean;              // drop control characters
    bool space_chinese;      // Chinese characters are words of their own
    bool strip_accents;      // é becomes e
    bool lowercase;          // after that
    bool split_punctuation;  // a punctuation character is a word of its own
};

class BertSplitter {
  public:
    explicit BertSplitter(BertOptions options);

    // Calls emit(std::string_view) for each word of valid UTF-8, which lasts until scratch is used
    // again.
    template <class Emit>
    void split(std::string_view text, std::string &scratch, const Emit &emit) const {
        text = normalise(text, scratch);
        const char *start = text.data(), *from = start, *end = start + text.size();
        while (from < end) {
            int size = 1;
            const uint8_t separating = separating_traits(from, end, size);
            if (separating) {
                if (from > start) emit(std::string_view(start, from));
                if (separating & unicode::PUNCTUATION) emit(std::string_view(from, size));
                start = from + size;
            }
            from += size;
        }
        if (end > start) emit(std::string_view(start, end));
    }

  private:
    // The text as the options ask for it: itself when it is so already, else a copy in scratch.
    std::string_view normalise(std::string_view text, std::string &scratch) const;

    uint8_t separating_traits(const char *from, const char *end, int &size) const {
        const auto byte = static_cast<uint8_t>(*from);
        if (byte < 0x80) return ascii_separating_[byte];
        const Character character = decode(from, end);
        size = character.size;
        return traits_of(character.code) & separating_;
    }

    BertOptions options_;
    uint8_t separating_;  // the traits of characters between words
    std::array<uint8_t, 0x80> ascii_separating_;
    std::array<char, 0x80> ascii_;  // normalized
    std::array<bool, 0x80> kept_;
};

}  // namespace cmow

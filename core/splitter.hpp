// Splits a text into tokens, exactly as the tokenizer.json that src/cmow/text/pipeline.py writes.
#pragma once

#include <string>
#include <string_view>

#include "scanner.hpp"

namespace cmow {

enum class Kind {
    WHITESPACE,  // the text is tokenized already
    WORDS,       // raw text
};

class Splitter {
  public:
    Splitter(Kind kind, bool lowercase) : kind_(kind), lowercase_(lowercase) {}

    // Calls emit(std::string_view) for each token, which lasts until scratch is used again.
    template <class Emit>
    void split(std::string_view text, std::string &scratch, const Emit &emit) const {
        text = normalise(text, scratch);
        if (kind_ == Kind::WHITESPACE)
            split_at_whitespace(text.data(), text.data() + text.size(), emit);
        else
            split_words(text.data(), text.data() + text.size(), emit);
    }

  private:
    // The text as valid UTF-8, in lower case and with plain punctuation as may be asked for: the
    // text itself when it is so already, else a copy in scratch.
    std::string_view normalise(std::string_view text, std::string &scratch) const;
    char *write(char32_t code, char *to) const;

    template <class Emit>
    static void split_at_whitespace(const char *from, const char *end, const Emit &emit) {
        while (from < end) {
            const char *start = from;
            while (from < end && !is_white(from, end)) from += size_at(from);
            if (from > start) emit(std::string_view(start, from));
            while (from < end && is_white(from, end)) from += size_at(from);
        }
    }

    template <class Emit>
    static void split_words(const char *from, const char *end, const Emit &emit) {
        const WordScanner scanner(end);
        while (from < end) {
            const Character first = decode(from, end);
            const unicode::Class of = class_of(first.code);
            const char *start = from;
            if (of == unicode::WHITE) {
                from += first.size;
                continue;
            }
            from = scanner.token(from, first, of);
            emit(std::string_view(start, from));
        }
    }

    Kind kind_;
    bool lowercase_;
};

}  // namespace cmow

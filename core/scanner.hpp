// Where a word of raw text ends: the regular expression of src/cmow/text/pipeline.py by hand.
#pragma once

#include <cstddef>
#include <string_view>

#include "characters.hpp"

namespace cmow {

constexpr char32_t ZERO_WIDTH_NON_JOINER = 0x200C;  // inside words of Persian and others
constexpr char32_t ZERO_WIDTH_JOINER = 0x200D;

inline char lower(char byte) {
    return static_cast<char>(byte + (byte >= 'A' && byte <= 'Z' ? 'a' - 'A' : 0));
}
inline bool is_digit(char byte) { return byte >= '0' && byte <= '9'; }
inline bool is_ascii_letter(char byte) { return lower(byte) >= 'a' && lower(byte) <= 'z'; }

// Each function is an alternative of the regular expression, quoted above it without the doubling
// of letters for upper case; W is [\p{L}\p{N}\p{M}\x{200C}\x{200D}]. The text is valid UTF-8.
class WordScanner {
  public:
    explicit WordScanner(const char *end) : end_(end) {}

    // Where the token that begins at `from`, a character of the given class, ends.
    const char *token(const char *from, Character first, unicode::Class of) const {
        if (of == unicode::NUMBER) return word(from + first.size, true);
        if (of == unicode::LETTER) {
            if (const char *stop = half(from)) return stop;
            if (is_not(from)) return from + 3;
            if (const char *stop = abbreviation(from + first.size)) return stop;
            return word(from + first.size, false);
        }
        if (const char *stop = suffix(from)) return stop;
        if (const char *stop = run(from)) return stop;
        return symbol(from + first.size);
    }

  private:
    // can(?=not(?!W)) and so on: the first half of what the treebank writes as two words
    const char *half(const char *from) const {
        static constexpr std::string_view HALVES[][2] = {{"can", "not"}, {"gim", "me"},
                                                         {"gon", "na"},  {"got", "ta"},
                                                         {"lem", "me"},  {"wan", "na"}};
        const char first = lower(*from);
        if (first != 'c' && first != 'g' && first != 'l' && first != 'w') return nullptr;
        for (const auto &[head, tail] : HALVES) {
            const char *middle = from + head.size();
            if (reads(from, head) && reads(middle, tail) && !in_word(middle + tail.size()))
                return middle;
        }
        return nullptr;
    }

    // n't(?!W)
    bool is_not(const char *from) const { return reads(from, "n't") && !in_word(from + 3); }

    // '(?:s|m|d|t|ll|re|ve|[0-9][0-9]s)(?!W)
    const char *suffix(const char *from) const {
        if (*from != '\'') return nullptr;
        if (const char *stop = contraction(from + 1)) return stop;
        const bool decade = end_ - from >= 4 && is_digit(from[1]) && is_digit(from[2]) &&
                            lower(from[3]) == 's' && !in_word(from + 4);
        return decade ? from + 4 : nullptr;
    }

    // (?:s|m|d|t|ll|re|ve)(?!W)
    const char *contraction(const char *from) const {
        const char *stop = nullptr;
        if (reads(from, "s") || reads(from, "m") || reads(from, "d") || reads(from, "t"))
            stop = from + 1;
        else if (reads(from, "ll") || reads(from, "re") || reads(from, "ve"))
            stop = from + 2;
        return stop && !in_word(stop) ? stop : nullptr;
    }

    // \p{L}(?:\.\p{L}(?!W))+\.? behind the first letter
    const char *abbreviation(const char *from) const {
        const char *stop = nullptr;
        while (is_dot(from)) {
            if (!is(from + 1, unicode::LETTER)) break;
            from += 1 + at(from + 1).size;
            if (in_word(from)) break;
            stop = from;
        }
        return stop && is_dot(stop) ? stop + 1 : stop;
    }

    // [\p{L}\p{N}](?:(?!n't(?!W))(?:W|-(?=[\p{L}\p{N}])|(?<=\p{N})[.,](?=\p{N})
    //                |'(?=\p{L})(?!(?:s|m|d|t|ll|re|ve)(?!W))))* behind the first character
    const char *word(const char *from, bool after_number) const {
        while (from < end_) {
            const char byte = *from;
            if (is_ascii_letter(byte)) {
                after_number = false;
            } else if (byte == '\'') {
                if (is_not(from - 1)) return from - 1;
                if (!is(from + 1, unicode::LETTER) || contraction(from + 1)) return from;
                after_number = false;
            } else if (byte == '-') {
                if (!is(from + 1, unicode::LETTER) && !is(from + 1, unicode::NUMBER)) return from;
                after_number = false;
            } else if (byte == '.' || byte == ',') {
                if (!after_number || !is(from + 1, unicode::NUMBER)) return from;
            } else if (in_word(from)) {
                after_number = is(from, unicode::NUMBER);
                from += at(from).size - 1;
            } else {
                return from;
            }
            ++from;
        }
        return from;
    }

    // \.\.\.|--|``|''
    const char *run(const char *from) const {
        static constexpr std::string_view RUNS[] = {"...", "--", "``", "''"};
        for (const std::string_view written : RUNS)
            if (reads(from, written)) return from + written.size();
        return nullptr;
    }

    // \S\p{M}* behind the first character
    const char *symbol(const char *from) const {
        while (is(from, unicode::MARK)) from += at(from).size;
        return from;
    }

    Character at(const char *from) const { return decode(from, end_); }

    bool is(const char *from, unicode::Class wanted) const {
        return from < end_ && class_of(at(from).code) == wanted;
    }

    bool is_dot(const char *from) const { return from < end_ && *from == '.'; }

    // W
    bool in_word(const char *from) const {
        if (from >= end_) return false;
        const char32_t code = at(from).code;
        const unicode::Class of = class_of(code);
        return of == unicode::LETTER || of == unicode::NUMBER || of == unicode::MARK ||
               code == ZERO_WIDTH_NON_JOINER || code == ZERO_WIDTH_JOINER;
    }

    // Whether the text goes on like this, in lower or upper case.
    bool reads(const char *from, std::string_view written) const {
        if (end_ - from < static_cast<std::ptrdiff_t>(written.size())) return false;
        for (size_t i = 0; i < written.size(); ++i)
            if (lower(from[i]) != written[i]) return false;
        return true;
    }

    const char *end_;
};

}  // namespace cmow

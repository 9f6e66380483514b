// Code points: reading and writing UTF-8, classes and lower case, as `tokenizers` sees them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "unicode.hpp"

namespace cmow {

constexpr char32_t REPLACEMENT = 0xFFFD;
constexpr char32_t DOTTED_CAPITAL_I = 0x130;  // its lower case is an i and a combining dot
constexpr char32_t COMBINING_DOT = 0x307;

inline bool is_ascii(std::string_view text) {
    uint64_t all = 0;
    size_t i = 0;
    for (; i + 8 <= text.size(); i += 8) {
        uint64_t eight;
        std::memcpy(&eight, text.data() + i, 8);
        all |= eight;
    }
    for (; i < text.size(); ++i) all |= static_cast<uint64_t>(text[i]) & 0x80;
    return !(all & 0x8080808080808080);
}

struct Character {
    char32_t code;
    int size;  // bytes
};

// The character at `from`, which is before `end`; a byte that begins no valid one is U+FFFD.
inline Character decode(const char *from, const char *end) {
    const auto *bytes = reinterpret_cast<const uint8_t *>(from);
    const uint8_t first = bytes[0];
    if (first < 0x80) return {first, 1};
    const int size = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || end - from < size) return {REPLACEMENT, 1};
    char32_t code = first & (0x7F >> size);
    for (int i = 1; i < size; ++i) {
        if ((bytes[i] & 0xC0) != 0x80) return {REPLACEMENT, 1};
        code = code << 6 | (bytes[i] & 0x3F);
    }
    constexpr char32_t LEAST[] = {0, 0, 0x80, 0x800, 0x10000};
    const bool valid = code >= LEAST[size] && code < 0x110000 && (code < 0xD800 || code > 0xDFFF);
    return valid ? Character{code, size} : Character{REPLACEMENT, 1};
}

// How many bytes the character at `from` has, in valid UTF-8.
inline int size_at(const char *from) {
    const auto first = static_cast<uint8_t>(*from);
    return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

// Writes a character at `to`, which has room for four bytes, and returns where it ends.
inline char *encode(char32_t code, char *to) {
    const auto trail = [=](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
    if (code < 0x80) {
        *to++ = static_cast<char>(code);
    } else if (code < 0x800) {
        *to++ = static_cast<char>(0xC0 | code >> 6);
        *to++ = trail(0);
    } else if (code < 0x10000) {
        *to++ = static_cast<char>(0xE0 | code >> 12);
        *to++ = trail(6);
        *to++ = trail(0);
    } else {
        *to++ = static_cast<char>(0xF0 | code >> 18);
        *to++ = trail(12);
        *to++ = trail(6);
        *to++ = trail(0);
    }
    return to;
}

namespace unicode {

// The ranges of unicode.hpp as tables of pages, made when this is compiled: a property of a code
// point is pages[page_of[code / PAGE]][code % PAGE], and pages that are alike are stored once.
constexpr int PAGE = 128;
constexpr int PAGES = 0x110000 / PAGE;

template <class Value, int COUNT>
struct Table {
    std::array<uint16_t, PAGES> page_of{};
    std::array<std::array<Value, PAGE>, COUNT> pages{};

    constexpr Value operator[](char32_t code) const {
        return pages[page_of[code / PAGE]][code % PAGE];
    }
};

template <const auto &OF_RUNS>
constexpr char32_t end_of_run(int run) {
    constexpr int COUNT = sizeof OF_RUNS / sizeof OF_RUNS[0];
    return run + 1 < COUNT ? OF_RUNS[run + 1].first : 0x110000;
}

// Calls visit(page, run of its first code point, whether that run fills it).
template <const auto &OF_RUNS, class Visit>
constexpr void for_each_page(const Visit &visit) {
    for (int page = 0, run = 0; page < PAGES; ++page) {
        while (end_of_run<OF_RUNS>(run) <= static_cast<char32_t>(page * PAGE)) ++run;
        visit(page, run, end_of_run<OF_RUNS>(run) >= static_cast<char32_t>((page + 1) * PAGE));
    }
}

template <const auto &OF_RUNS>
constexpr int count_mixed_pages() {
    int count = 0;
    for_each_page<OF_RUNS>([&](int, int, bool uniform) { count += !uniform; });
    return count;
}

// The table of runs whose values are below COUNT.
template <const auto &OF_RUNS, int COUNT>
constexpr auto make_table() {
    using Value = std::remove_cvref_t<decltype(OF_RUNS[0].of)>;
    Table<Value, COUNT + count_mixed_pages<OF_RUNS>()> table;
    for (int uniform = 0; uniform < COUNT; ++uniform)
        table.pages[uniform].fill(static_cast<Value>(uniform));
    uint16_t used = COUNT;
    for_each_page<OF_RUNS>([&](int page, int run, bool uniform) {
        table.page_of[page] = uniform ? static_cast<uint16_t>(OF_RUNS[run].of) : used++;
        for (int i = 0; i < PAGE && !uniform; ++i) {
            while (end_of_run<OF_RUNS>(run) <= static_cast<char32_t>(page * PAGE + i)) ++run;
            table.pages[table.page_of[page]][i] = OF_RUNS[run].of;
        }
    });
    return table;
}

constexpr int count_capital_pages() {
    int count = 0, last = -1;
    for (const Capitals &range : CAPITALS) {
        const int first_page = range.first / PAGE, last_page = range.last / PAGE;
        count += last_page - first_page + (first_page != last);
        last = last_page;
    }
    return count;
}

constexpr auto make_capitals() {
    Table<int32_t, 1 + count_capital_pages()> table;  // page 0 has no capitals
    uint16_t used = 0;
    for (const Capitals &range : CAPITALS)
        for (char32_t code = range.first; code <= range.last; code += range.step) {
            uint16_t &page = table.page_of[code / PAGE];
            if (!page) page = ++used;
            table.pages[page][code % PAGE] = range.to_lower;
        }
    return table;
}

inline constexpr auto CLASS_TABLE = make_table<RUNS, WHITE + 1>();
inline constexpr auto CAPITAL_TABLE = make_capitals();

}  // namespace unicode

inline unicode::Class class_of(char32_t code) { return unicode::CLASS_TABLE[code]; }

// Whether the character at `from`, which is before `end`, is white space.
inline bool is_white(const char *from, const char *end) {
    const auto byte = static_cast<uint8_t>(*from);
    if (byte < 0x80) return byte == ' ' || (byte >= '\t' && byte <= '\r');
    return class_of(decode(from, end).code) == unicode::WHITE;
}

// The lower-case character, but for DOTTED_CAPITAL_I, which has two.
inline char32_t lower_of(char32_t code) { return code + unicode::CAPITAL_TABLE[code]; }

}  // namespace cmow

// What BERT's normalizer and pre-tokenizer make of code points, as `tokenizers` has them.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>

#include "characters.hpp"

namespace cmow {

namespace unicode {

constexpr int count_composed_pages() {
    int count = 0;
    uint32_t last = PAGES;
    for (const Decomposition &row : DECOMPOSITIONS) {
        count += row.code / PAGE != last;
        last = row.code / PAGE;
    }
    return count;
}

constexpr auto make_decompositions() {
    Table<uint16_t, 1 + count_composed_pages()> table;  // page 0 has no composed characters
    uint16_t used = 0, number = 0;
    for (const Decomposition &row : DECOMPOSITIONS) {
        uint16_t &page = table.page_of[row.code / PAGE];
        if (!page) page = ++used;
        table.pages[page][row.code % PAGE] = number++;
    }
    return table;
}

inline constexpr auto TRAIT_TABLE = make_table<TRAIT_RUNS, 2 * COMBINING>();
inline constexpr auto DECOMPOSITION_TABLE = make_decompositions();

}  // namespace unicode

// A sum of unicode::Trait.
inline uint8_t traits_of(char32_t code) { return unicode::TRAIT_TABLE[code]; }

using Decomposed = std::array<char32_t, 4>;  // with zeros behind

// What a character with the trait COMPOSED is composed of, in the canonical way.
inline Decomposed decompose(char32_t code) {
    constexpr char32_t FIRST = 0xAC00, LAST = 0xD7A3;  // syllables of Hangul
    constexpr char32_t VOWELS = 21, TAILS = 28;
    if (code >= FIRST && code <= LAST) {
        const char32_t place = code - FIRST, tail = place % TAILS;
        return {0x1100 + place / (VOWELS * TAILS), 0x1161 + place / TAILS % VOWELS,
                tail ? 0x11A7 + tail : 0};
    }
    Decomposed parts;
    const auto &row = unicode::DECOMPOSITIONS[unicode::DECOMPOSITION_TABLE[code]];
    std::copy(std::begin(row.parts), std::end(row.parts), parts.begin());
    return parts;
}

// The canonical class of a character that has the trait COMBINING but not ACCENT.
inline uint32_t combining_class(char32_t code) {
    for (const auto &[first, last, of] : unicode::CLASSES)
        if (code >= first && code <= last) return of;
    return 0;
}

}  // namespace cmow

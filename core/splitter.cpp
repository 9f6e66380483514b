#include "splitter.hpp"

namespace cmow {

namespace {

constexpr size_t LARGEST_GROWTH = 3;  // an invalid byte becomes U+FFFD: three bytes

// Typographic characters as the treebank, and so our evaluation data, writes them.
std::string_view plain_form(char32_t code) {
    switch (code) {
        case U'‘':
        case U'’': return "'";
        case U'“':
        case U'”': return "\"";
        case U'‐':
        case U'‑': return "-";
        case U'—': return "--";
        case U'…': return "...";
        default: return {};
    }
}

}  // namespace

char *Splitter::write(char32_t code, char *to) const {
    if (kind_ == Kind::WORDS) {
        const std::string_view plain = plain_form(code);
        if (!plain.empty()) return to + plain.copy(to, plain.size());
    }
    if (!lowercase_) return encode(code, to);
    if (code == DOTTED_CAPITAL_I) return encode(COMBINING_DOT, encode('i', to));
    return encode(lower_of(code), to);
}

std::string_view Splitter::normalise(std::string_view text, std::string &scratch) const {
    const bool ascii = is_ascii(text);
    if (ascii && !lowercase_) return text;
    const size_t room = text.size() * (ascii ? 1 : LARGEST_GROWTH);
    if (scratch.size() < room) scratch.resize(room);
    char *to = scratch.data();
    if (ascii) {
        for (size_t i = 0; i < text.size(); ++i) to[i] = lower(text[i]);
        return {to, text.size()};
    }
    const char *end = text.data() + text.size();
    for (const char *from = text.data(); from < end;) {
        const Character character = decode(from, end);
        to = write(character.code, to);
        from += character.size;
    }
    return {scratch.data(), static_cast<size_t>(to - scratch.data())};
}

}  // namespace cmow

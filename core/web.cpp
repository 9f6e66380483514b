// The core as WebAssembly sees it: plain functions on the module's memory.
// src/cmow/serving/site/web.js calls them, and keeps alive whatever they are given.
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "composer.hpp"
#include "wordpiece.hpp"
#include "words.hpp"

#define EXPORT(name) extern "C" __attribute__((export_name(#name)))

// Nothing in here is thrown unless the page has a fault: the module stops, and the page says so.
extern "C" {
[[noreturn]] void __cxa_throw(void *, void *, void (*)(void *)) { __builtin_trap(); }
void *__cxa_allocate_exception(size_t) { __builtin_trap(); }
void __cxa_free_exception(void *) { __builtin_trap(); }
}

namespace cmow {

namespace {

std::unique_ptr<Words> words;
std::unique_ptr<WordPiece> pieces;

std::vector<std::string_view> lines(const char *text, size_t size) {
    std::vector<std::string_view> found;
    for_each_line({text, size}, [&](std::string_view line) { found.push_back(line); });
    return found;
}

}  // namespace

EXPORT(allocate) void *allocate(size_t bytes) {
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}

EXPORT(release) void release(void *memory) { std::free(memory); }

// ---- texts to ids -------------------------------------------------------------------------------

// :param list: words, each with a newline behind it
EXPORT(use_words) void use_words(int raw, int lowercase, const char *list, size_t size) {
    const Splitter splitter(raw ? Kind::WORDS : Kind::WHITESPACE, lowercase);
    words = std::make_unique<Words>(splitter, lines(list, size));
}

// :param options: bits for clean, space_chinese, strip_accents, lowercase and split_punctuation
EXPORT(use_pieces)
void use_pieces(const char *list, size_t size, int32_t unknown, const char *prefix,
                int longest_word, const char *added, size_t added_size, const int32_t *added_ids,
                int options) {
    const BertSplitter splitter({(options & 1) != 0, (options & 2) != 0, (options & 4) != 0,
                                 (options & 8) != 0, (options & 16) != 0});
    AddedTokens tokens{lines(added, added_size), {}};
    tokens.ids.assign(added_ids, added_ids + tokens.texts.size());
    pieces = std::make_unique<WordPiece>(
        splitter, lines(list, size), WordPiece::Settings{unknown, prefix, longest_word}, tokens);
}

// ---- ids to embeddings --------------------------------------------------------------------------

EXPORT(new_composer) Composer *new_composer() { return new Composer; }

// Returns whether there is such a kind of part.
EXPORT(add_part)
int add_part(Composer *composer, const char *kind, int size, const float *constants,
             int constant_count, int mean, const void *rows, const float *scales, int storage,
             int count, int rescale_every) {
    const int found = find_part(kind);
    if (found < 0) return 0;
    const Form form{found, size, constants, constant_count};
    const Widths widths = kernels().parts[found].widths(form);
    composer->add({.form = form,
                   .widths = widths,
                   .table = {.rows = rows,
                             .scales = scales,
                             .storage = static_cast<Storage>(storage),
                             .count = count,
                             .width = widths.row},
                   .mean = mean != 0,
                   .rescale_every = rescale_every,
                   .ngrams = nullptr});
    return 1;
}

// :param placements: as the struct has them, seven words of four bytes each
EXPORT(project)
void project(Composer *composer, const Placement *placements, int count, const float *bias,
             int dim) {
    composer->project({{placements, placements + count}, bias, dim});
}

EXPORT(width) int width(const Composer *composer) { return composer->width(Show::view); }

// Embeds texts, each with a newline behind it, and returns how many of their tokens are known.
EXPORT(encode)
int encode(const Composer *composer, const char *texts, size_t size, int normalize, float *out) {
    const std::string_view block(texts, size);
    const RaggedIds ids = pieces ? ids_of_lines(*pieces, block) : ids_of_lines(*words, block);
    composer->compose({ids.flat.data(), ids.offsets.data()},
                      static_cast<int64_t>(ids.offsets.size()) - 1, Show::view,
                      static_cast<Normalize>(normalize), out, 1);
    return static_cast<int>(ids.flat.size());
}

// Embeds single words by their ids, from one on.
EXPORT(encode_words) void encode_words(const Composer *composer, int first, int count, float *out) {
    std::vector<int32_t> ids(count);
    std::vector<int64_t> offsets(count + 1);
    for (int i = 0; i < count; ++i) {
        ids[i] = first + i;
        offsets[i + 1] = i + 1;
    }
    composer->compose({ids.data(), offsets.data()}, count, Show::view, Normalize::none, out, 1);
}

}  // namespace cmow

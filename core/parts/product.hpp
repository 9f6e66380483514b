// Square matrices under multiplication in reading order (CMOW), the identity being neutral.
//
// A table stores matrices by columns, that is, transposed. The product of the words in reading
// order is then a running product that each next word multiplies from the left, and its memory is
// the flattening by columns that the embedding wants. Read the other way round (reversed.hpp), the
// words multiply the plain matrices from the left, and the end is transposed.
#pragma once

#include "../ngrams.hpp"
#include "../ranges.hpp"
#include "../rescaling.hpp"
#include "part.hpp"

namespace cmow::CMOW_LEVEL {

enum class Reading { forwards, backwards };

template <class Kind, Reading READING>
struct MatrixProduct {
    static Widths widths(const Form &form) {
        if (form.constant_count != 0) return {};
        const int numbers = form.size * form.size;
        return {.row = numbers, .element = numbers, .view = numbers};
    }

    static void add_neutral(const Form &form, float factor, float *view) {
        add_identity(view, form.size, form.size, factor);
    }

    static void add_origin(const Form &form, float *row) {
        add_identity(row, form.size, form.size);
    }

    // The matrix that a row stands for: it is one itself, unless a kind says otherwise and writes
    // the matrix to `out`.
    static const float *lift(const Form &, const float *row, float *) { return row; }

    // From the gradient of a word's matrix, which has padding, to that of its row.
    static void lower(const Form &form, const float *gradient, float *row) {
        strip_padding(gradient, form.size, row);
    }

    // ---- encoding -------------------------------------------------------------------------------

    static size_t encode_memory(const Part &part) {
        const int d = part.form.size;
        return 2 * static_cast<size_t>(padded_size(d)) + d * d + part.widths.row;
    }

    static int64_t encode(const Part &part, const int32_t *ids, int64_t length, Show, float *out,
                          float *memory) {
        const int d = part.form.size;
        Nodes<Kind> nodes(part, ids, length);
        int64_t node = nodes.next();
        if (node < 0) {
            std::memset(out, 0, sizeof(float) * d * d);
            add_identity(out, d, d);
            return 0;
        }
        float *product = memory, *result = memory + padded_size(d);
        float *const buffer = result + padded_size(d);
        int64_t next = nodes.next();
        fill_padded(nodes.element(node, buffer), d, product);
        if (READING == Reading::backwards) {
            transpose(product, result, d);
            swap(product, result);
        }
        int64_t exponent = 0;
        for (int since_rescale = 1; (node = next) >= 0; ++since_rescale) {
            next = nodes.next();
            const float *word = nodes.element(node, buffer);
            const Strided left =
                READING == Reading::forwards ? Strided{word, d, 1} : Strided{word, 1, d};
            multiply(left, product, result, d, nodes.memory(next));
            swap(product, result);
            if (since_rescale == part.rescale_every) {
                exponent += rescale(product, d);
                since_rescale = 0;
            }
        }
        if (READING == Reading::backwards) {
            transpose(product, result, d);
            swap(product, result);
        }
        strip_padding(product, d, out);
        return exponent;
    }

    // ---- spans: a piece is a matrix with padding ------------------------------------------------

    static int piece_width(const Form &form) { return padded_size(form.size); }

    static int64_t piece_of(const Part &part, int32_t id, float *piece, float *memory) {
        const int d = part.form.size;
        const float *row = row_of<Kind>(part, id, memory + d * d);
        fill_padded(Kind::lift(part.form, row, memory), d, piece);
        return rescale_padded(piece, d);
    }

    static int64_t append(const Part &part, Piece left, int32_t id, float *out, float *memory) {
        if (READING == Reading::forwards) return multiplied(part, id, left, out, memory);
        const Piece token = piece_in(part, id, memory);
        return join(part.form, left, token, Show::element, out);
    }

    static int64_t prepend(const Part &part, int32_t id, Piece right, float *out, float *memory) {
        if (READING == Reading::backwards) return multiplied(part, id, right, out, memory);
        const Piece token = piece_in(part, id, memory);
        return join(part.form, token, right, Show::element, out);
    }

    static int64_t join(const Form &form, Piece left, Piece right, Show show, float *out) {
        const int d = form.size, ld = leading_dimension(d);
        if (READING == Reading::forwards)
            multiply({right.numbers, ld, 1}, left.numbers, out, d);
        else
            multiply({left.numbers, ld, 1}, right.numbers, out, d);
        const int64_t exponent = left.exponent + right.exponent;
        return show == Show::view ? exponent : exponent + rescale_padded(out, d);
    }

    static void piece_view(const Form &form, const float *piece, float *view) {
        strip_padding(piece, form.size, view);
    }

    static constexpr PartAccumulate *accumulate = nullptr;
    static constexpr PartSlide *slide = nullptr;

    // ---- training -------------------------------------------------------------------------------

    struct State {
        RangeProducts<Kind> products;
        int32_t *roots;  // of the windows; -1: no words
        int32_t *ids;    // of the sentence as it is read
    };

    static size_t train_memory(const TrainedPart &part, const Sentence &sentence) {
        Arena arena(nullptr);
        lay_out(arena, part, sentence);
        return arena.used();
    }

    static void forward(const TrainedPart &part, const Sentence &sentence, Rows views,
                        float *memory) {
        Arena arena(memory);
        State &state = *lay_out(arena, part, sentence);
        for (int32_t i = 0; i < sentence.length; ++i)
            state.ids[i] = sentence.ids[sentence.first + place(sentence, i)];
        state.products.start();
        for (int w = 0; w < sentence.window_count; ++w) {
            state.roots[w] = root(state.products, sentence, sentence.windows[w]);
            if (state.roots[w] >= 0) {
                strip_padding(state.products.value(state.roots[w]), part.form.size, views[w]);
            } else {
                std::memset(views[w], 0, sizeof(float) * part.widths.view);
                add_identity(views[w], part.form.size, part.form.size);
            }
        }
    }

    static void backward(const TrainedPart &part, const Sentence &sentence, Rows view_gradients,
                         Rows word_gradients, float *memory) {
        State &state = *Arena(memory).take<State>(1);
        for (int w = 0; w < sentence.window_count; ++w)
            if (state.roots[w] >= 0) state.products.add_gradient(state.roots[w], view_gradients[w]);
        state.products.backward([&](int32_t position, const float *gradient) {
            const int32_t row = sentence.word_rows[sentence.first + place(sentence, position)];
            Kind::lower(part.form, gradient, word_gradients[row]);
        });
    }

  private:
    // As it is: what it is joined with is rescaled.
    static Piece piece_in(const Part &part, int32_t id, float *memory) {
        const int d = part.form.size;
        float *const buffer = memory + padded_size(d);
        const float *row = row_of<Kind>(part, id, buffer + d * d);
        fill_padded(Kind::lift(part.form, row, buffer), d, memory);
        return {memory, 0};
    }

    // A token's matrix times a piece: it is read as it is stored, without padding.
    static int64_t multiplied(const Part &part, int32_t id, Piece piece, float *out,
                              float *memory) {
        const int d = part.form.size;
        const float *row = row_of<Kind>(part, id, memory + d * d);
        multiply({Kind::lift(part.form, row, memory), d, 1}, piece.numbers, out, d);
        return piece.exponent + rescale_padded(out, d);
    }

    static void swap(float *&a, float *&b) {
        float *const spare = a;
        a = b;
        b = spare;
    }

    // The state, and behind it all that it points to.
    static State *lay_out(Arena &arena, const TrainedPart &part, const Sentence &sentence) {
        const int d = part.form.size;
        const int64_t length = sentence.length, windows = sentence.window_count;
        const int longest = sentence.longest_context;
        State *state = arena.take<State>(1);
        int32_t *roots = arena.take<int32_t>(windows), *ids = arena.take<int32_t>(length);
        float *memory = arena.take<float>(RangeProducts<Kind>::memory(d, length, windows, longest));
        if (arena.has_memory())
            *state = {{part, ids, length, windows, longest, memory}, roots, ids};
        return state;
    }

    // Where the i-th word that is read stands in the sentence.
    static int32_t place(const Sentence &sentence, int32_t i) {
        return READING == Reading::forwards ? i : sentence.length - 1 - i;
    }

    // The product of a window's words but its target; -1 if there are none.
    static int32_t root(RangeProducts<Kind> &products, const Sentence &sentence,
                        const Window &window) {
        int32_t low = window.low - sentence.first, target = window.target - sentence.first,
                high = window.high - sentence.first;
        const bool whole = target < low || target >= high;
        if (READING == Reading::backwards) {
            const int32_t end = sentence.length - low;
            low = sentence.length - high;
            target = sentence.length - 1 - target;
            high = end;
        }
        if (whole) return low < high ? products.range(low, high) : -1;
        if (low == target) return target + 1 < high ? products.range(target + 1, high) : -1;
        if (target + 1 == high) return products.range(low, target);
        return products.join(products.range(low, target), products.range(target + 1, high));
    }
};

struct Product : MatrixProduct<Product, Reading::forwards> {
    static constexpr const char *NAME = "product";
};

}  // namespace cmow::CMOW_LEVEL

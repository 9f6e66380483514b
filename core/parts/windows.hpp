// The sum of the products of all contiguous runs of words, each further word of a run decayed by γ.
//
// With R_i = (γ R_{i-1} + 1) E_i, the sum over the runs that end at word i, the embedding shows
// Σ R_i. An element has four matrices: the whole product, decayed once for each word; the sums over
// prefixes, over suffixes and over all runs. As elsewhere, memory holds transposes: a word
// multiplies from the left.
#pragma once

#include "../rescaling.hpp"
#include "part.hpp"

namespace cmow::CMOW_LEVEL {

struct Windows {
    static constexpr const char *NAME = "windows";

    static Widths widths(const Form &form) {
        if (form.constant_count != 1) return {};
        const int numbers = form.size * form.size;
        return {.row = numbers, .element = 4 * numbers, .view = numbers};
    }

    static void add_neutral(const Form &, float, float *) {}  // zero: there are no runs

    static void add_origin(const Form &form, float *row) {
        add_identity(row, form.size, form.size);
    }

    // ---- encoding -------------------------------------------------------------------------------

    static size_t encode_memory(const Part &part) {
        const int d = part.form.size;
        return MATRICES * static_cast<size_t>(padded_size(d)) + d * d;
    }

    static int64_t encode(const Part &part, const int32_t *ids, int64_t length, Show show,
                          float *out, float *memory) {
        const int d = part.form.size, size = padded_size(d);
        const bool whole = show == Show::element;
        std::memset(memory, 0, sizeof(float) * MATRICES * size);
        float *const suffixes = memory + SUFFIXES * size, *const total = memory + TOTAL * size;
        float *const prefix = memory + PREFIX * size, *const prefixes = memory + PREFIXES * size;
        float *const spare = memory + SPARE * size, *const buffer = memory + MATRICES * size;
        float one = 1;  // as large as the scale makes it
        int64_t exponent = 0;
        if (whole) add_identity(prefix, d, leading_dimension(d), 1 / decay(part.form));
        for (int64_t i = 0, since_rescale = 1; i < length; ++i, ++since_rescale) {
            const Strided word{row_of<Windows>(part, ids[i], buffer), d, 1};
            extend(suffixes, word, decay(part.form), one, total, spare, d);
            if (whole) extend(prefix, word, decay(part.form), 0, prefixes, spare, d);
            if (since_rescale < part.rescale_every) continue;
            since_rescale = 0;
            const int taken = shrink(memory, SPARE, d);
            exponent += taken;
            one *= float_power(-taken);
        }
        if (!whole) {
            strip_padding(total, d, out);
            return exponent;
        }
        scale_matrix(prefix, d, decay(part.form));
        const float *const matrices[] = {prefix, prefixes, suffixes, total};
        for (int m = 0; m < 4; ++m) strip_padding(matrices[m], d, out + m * d * d);
        return exponent;
    }

    // ---- spans: a piece is the four matrices of an element, with padding ------------------------

    enum Of { WHOLE, PREFIXES_OF, SUFFIXES_OF, RUNS, PIECES };

    static int piece_width(const Form &form) { return PIECES * padded_size(form.size); }

    static int64_t piece_of(const Part &part, int32_t id, float *piece, float *memory) {
        const int d = part.form.size, size = padded_size(d);
        const float *row = row_of<Windows>(part, id, memory);
        for (int m = 0; m < PIECES; ++m) fill_padded(row, d, piece + m * size);
        scale_matrix(piece + WHOLE * size, d, decay(part.form));
        return rescale_piece(piece, 0, d);
    }

    // The runs that end at the token are those of the suffixes, each with the token, and itself.
    static int64_t append(const Part &part, Piece left, int32_t id, float *out, float *memory) {
        const int d = part.form.size, size = padded_size(d);
        const Strided word{row_of<Windows>(part, id, memory + size), d, 1};
        shifted(part.form, left, SUFFIXES_OF, memory);
        multiply(word, memory, out + SUFFIXES_OF * size, d);
        multiply(word, left.numbers + WHOLE * size, out + WHOLE * size, d);
        add_runs(part.form, left, PREFIXES_OF, SUFFIXES_OF, out);
        return rescale_piece(out, left.exponent, d);
    }

    // The runs that begin at the token are the prefixes, each behind the token, and itself.
    static int64_t prepend(const Part &part, int32_t id, Piece right, float *out, float *memory) {
        const int d = part.form.size, ld = leading_dimension(d), size = padded_size(d);
        float *const token = memory, *const spare = memory + size;
        fill_padded(row_of<Windows>(part, id, spare + size), d, token);
        shifted(part.form, right, PREFIXES_OF, spare);
        multiply({spare, ld, 1}, token, out + PREFIXES_OF * size, d);
        multiply({right.numbers + WHOLE * size, ld, 1}, token, out + WHOLE * size, d);
        add_runs(part.form, right, SUFFIXES_OF, PREFIXES_OF, out);
        return rescale_piece(out, right.exponent, d);
    }

    // Exponents are never negative, so that their sum is the largest of those of all terms.
    static int64_t join(const Form &form, Piece left, Piece right, Show show, float *out) {
        const int d = form.size, ld = leading_dimension(d), size = padded_size(d);
        const auto of = [&](Piece piece, int m) { return piece.numbers + m * size; };
        const auto multiplied = [&](int before, int after, float *to) {
            multiply({of(right, after), ld, 1}, of(left, before), to, d);
        };
        const float left_scale = reciprocal_power(right.exponent),
                    right_scale = reciprocal_power(left.exponent);
        const auto add = [&](Piece piece, int m, float scale, float factor, float *to) {
            const float *const more = of(piece, m);
            each_vector(d, [&]<class V>(int i) {
                store(to + i, factor * load<V>(to + i) + scale * load<V>(more + i));
            });
        };
        float *const runs = out + RUNS * size;
        multiplied(SUFFIXES_OF, PREFIXES_OF, runs);
        add(left, RUNS, left_scale, decay(form), runs);
        add(right, RUNS, right_scale, 1, runs);
        const int64_t exponent = left.exponent + right.exponent;
        if (show == Show::view) return exponent;
        multiplied(WHOLE, WHOLE, out + WHOLE * size);
        multiplied(WHOLE, PREFIXES_OF, out + PREFIXES_OF * size);
        add(left, PREFIXES_OF, left_scale, 1, out + PREFIXES_OF * size);
        multiplied(SUFFIXES_OF, WHOLE, out + SUFFIXES_OF * size);
        add(right, SUFFIXES_OF, right_scale, 1, out + SUFFIXES_OF * size);
        return rescale_piece(out, exponent, d);
    }

    static void piece_view(const Form &form, const float *piece, float *view) {
        strip_padding(piece + RUNS * padded_size(form.size), form.size, view);
    }

    static constexpr PartAccumulate *accumulate = nullptr;
    static constexpr PartSlide *slide = nullptr;

    // ---- training -------------------------------------------------------------------------------

    // What each word of a context multiplies, and gradients by position in the sentence.
    struct State {
        float *multiplied, *word_gradients;
        bool *has_gradient;
        float *suffixes, *total, *spare;
    };

    static size_t train_memory(const TrainedPart &part, const Sentence &sentence) {
        Arena arena(nullptr);
        lay_out(arena, part, sentence);
        return arena.used();
    }

    static void forward(const TrainedPart &part, const Sentence &sentence, Rows views,
                        float *memory) {
        const int d = part.form.size, size = padded_size(d), ld = leading_dimension(d);
        Arena arena(memory);
        const State state = lay_out(arena, part, sentence);
        for (int w = 0; w < sentence.window_count; ++w) {
            float *multiplied = state.multiplied + multiplied_of(sentence, w) * size;
            std::memset(state.suffixes, 0, sizeof(float) * size);
            std::memset(state.total, 0, sizeof(float) * size);
            each_word(sentence.windows[w], [&](int32_t position) {
                for (int i = 0; i < d * ld; ++i)
                    multiplied[i] = decay(part.form) * state.suffixes[i];
                add_identity(multiplied, d, ld);
                multiply({row_of(part, sentence.ids[position]), d, 1}, multiplied, state.suffixes,
                         d);
                for (int i = 0; i < d * ld; ++i) state.total[i] += state.suffixes[i];
                multiplied += size;
            });
            strip_padding(state.total, d, views[w]);
        }
    }

    // Of R_i = X_i E_i with X_i = γ R_{i-1} + 1, whose sum has the gradient G: from the last word
    // to the first, R_i has G + γ times what X_{i+1} has.
    static void backward(const TrainedPart &part, const Sentence &sentence, Rows view_gradients,
                         Rows word_gradients, float *memory) {
        const int d = part.form.size, size = padded_size(d), ld = leading_dimension(d);
        Arena arena(memory);
        const State state = lay_out(arena, part, sentence);
        float *const gradient = state.suffixes, *const passed = state.total;
        std::memset(state.has_gradient, 0, sizeof(bool) * sentence.length);
        for (int w = 0; w < sentence.window_count; ++w) {
            const Window &window = sentence.windows[w];
            const float *multiplied =
                state.multiplied + (multiplied_of(sentence, w) + words_of(window)) * size;
            std::memset(passed, 0, sizeof(float) * size);
            each_word_backwards(window, [&](int32_t position) {
                multiplied -= size;
                fill_padded(view_gradients[w], d, gradient);
                for (int i = 0; i < d * ld; ++i) gradient[i] += decay(part.form) * passed[i];
                transpose(multiplied, state.spare, d);
                const int32_t place = position - sentence.first;
                float *const word = state.word_gradients + static_cast<int64_t>(place) * size;
                if (state.has_gradient[place])
                    multiply<Into::add>({gradient, ld, 1}, state.spare, word, d);
                else
                    multiply({gradient, ld, 1}, state.spare, word, d);
                state.has_gradient[place] = true;
                multiply({row_of(part, sentence.ids[position]), 1, d}, gradient, passed, d);
            });
        }
        for (int32_t place = 0; place < sentence.length; ++place)
            if (state.has_gradient[place])
                strip_padding(state.word_gradients + static_cast<int64_t>(place) * size, d,
                              word_gradients[sentence.word_rows[sentence.first + place]]);
    }

  private:
    enum Matrix { SUFFIXES, TOTAL, PREFIX, PREFIXES, SPARE, MATRICES };  // of the encoder's memory

    static float decay(const Form &form) { return form.constants[0]; }

    // One sum of a piece, decayed, and 1 as large as the scale makes it.
    static void shifted(const Form &form, Piece piece, int sum, float *out) {
        const int d = form.size, ld = leading_dimension(d);
        const float *const from = piece.numbers + sum * padded_size(d);
        const float factor = decay(form);
        each_vector(d, [&]<class V>(int i) { store(out + i, factor * load<V>(from + i)); });
        add_identity(out, d, ld, reciprocal_power(piece.exponent));
    }

    // A token has come to a piece at one end: all runs are those before and what has grown there;
    // the sum from the other end has one more, the whole.
    static void add_runs(const Form &form, Piece piece, int other, int grown, float *out) {
        const int d = form.size, size = padded_size(d);
        const float factor = decay(form);
        const float *const others = piece.numbers + other * size, *const runs =
                                                                      piece.numbers + RUNS * size;
        each_vector(d, [&]<class V>(int i) {
            const V whole = load<V>(out + WHOLE * size + i);
            store(out + other * size + i, load<V>(others + i) + whole);
            store(out + RUNS * size + i, load<V>(runs + i) + load<V>(out + grown * size + i));
            store(out + WHOLE * size + i, factor * whole);
        });
    }

    // running = word · (decay * running + one), and its sum.
    static void extend(float *running, Strided word, float decay, float one, float *sum,
                       float *spare, int d) {
        const int ld = leading_dimension(d);
        for (int i = 0; i < d * ld; ++i) spare[i] = decay * running[i];
        add_identity(spare, d, ld, one);
        multiply(word, spare, running, d);
        for (int i = 0; i < d * ld; ++i) sum[i] += running[i];
    }

    static uint32_t largest_of(const float *matrices, int count, int d) {
        uint32_t largest = 0;
        for (int m = 0; m < count; ++m) {
            const uint32_t bits = largest_padded(matrices + m * padded_size(d), d);
            largest = bits > largest ? bits : largest;
        }
        return largest;
    }

    static void scale_all(float *matrices, int count, int d, int taken) {
        for (int m = 0; m < count; ++m)
            scale_matrix(matrices + m * padded_size(d), d, float_power(-taken));
    }

    // Scales all down if one has grown far. Small ones are left: the next word starts from 1
    // anyway.
    static int shrink(float *matrices, int count, int d) {
        const int exponent = exponent_of(largest_of(matrices, count, d));
        if (exponent < FAR) return 0;
        const int taken = exponent > 126 ? 126 : exponent;
        scale_all(matrices, count, d, taken);
        return taken;
    }

    // Scales a piece if it has strayed far from 1, but up only by what was taken out before.
    static int64_t rescale_piece(float *piece, int64_t exponent, int d) {
        int64_t taken = exponent_of(largest_of(piece, PIECES, d));
        if (-FAR < taken && taken < FAR) return exponent;
        taken = taken < -exponent ? -exponent : taken;
        taken = taken < -126 ? -126 : taken > 126 ? 126 : taken;
        scale_all(piece, PIECES, d, static_cast<int>(taken));
        return exponent + taken;
    }

    // Two to the power of minus a number that is not negative.
    static float reciprocal_power(int64_t exponent) {
        return exponent > 126 ? 0 : float_power(static_cast<int>(-exponent));
    }

    static State lay_out(Arena &arena, const TrainedPart &part, const Sentence &sentence) {
        const size_t size = padded_size(part.form.size);
        const size_t words = multiplied_of(sentence, sentence.window_count);
        return {.multiplied = arena.take<float>(words * size),
                .word_gradients = arena.take<float>(sentence.length * size),
                .has_gradient = arena.take<bool>(sentence.length),
                .suffixes = arena.take<float>(size),
                .total = arena.take<float>(size),
                .spare = arena.take<float>(size)};
    }

    // The first of a window's matrices.
    static int64_t multiplied_of(const Sentence &sentence, int window) {
        return static_cast<int64_t>(window) * sentence.longest_context;
    }

    template <class Visit>
    static void each_word(const Window &window, const Visit &visit) {
        for (int32_t i = window.low; i < window.high; ++i)
            if (i != window.target) visit(i);
    }

    template <class Visit>
    static void each_word_backwards(const Window &window, const Visit &visit) {
        for (int32_t i = window.high - 1; i >= window.low; --i)
            if (i != window.target) visit(i);
    }
};

}  // namespace cmow::CMOW_LEVEL

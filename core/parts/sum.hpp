// Vectors under addition (CBOW): the order of the words is lost.
#pragma once

#include "../sums.hpp"
#include "part.hpp"

namespace cmow::CMOW_LEVEL {

struct Sum {
    static constexpr const char *NAME = "sum";

    static Widths widths(const Form &form) {
        if (form.constant_count != 0) return {};
        return {.row = form.size, .element = form.size, .view = form.size};
    }

    static void add_neutral(const Form &, float, float *) {}  // zero
    static void add_origin(const Form &, float *) {}          // zero

    // ---- encoding -------------------------------------------------------------------------------

    static constexpr int LOOKAHEAD = 8;  // rows whose memory is asked for early

    static size_t encode_memory(const Part &part) {
        return static_cast<size_t>(SUM_ROWS) * part.table.width;
    }

    static int64_t encode(const Part &part, const int32_t *ids, int64_t length, Show, float *out,
                          float *memory) {
        const Table &table = part.table;
        std::memset(out, 0, sizeof(float) * table.width);
        const float *rows[SUM_ROWS];
        const char *later[SUM_ROWS];
        int64_t i = 0;
        for (; i + SUM_ROWS <= length; i += SUM_ROWS) {
            for (int r = 0; r < SUM_ROWS; ++r) {
                const int64_t ahead = i + r + LOOKAHEAD;
                later[r] = address_of(table, ids[ahead < length ? ahead : i + r]);
                rows[r] = row_of<Sum>(part, ids[i + r], memory + r * table.width);
            }
            add_rows(rows, table.width, out, later, number_bits(table));
        }
        for (; i < length; ++i) {
            const float *row = row_of<Sum>(part, ids[i], memory);
            for (int j = 0; j < table.width; ++j) out[j] += row[j];
        }
        return 0;
    }

    // ---- spans: rows are added in double, and taken away again ----------------------------------

    static constexpr PieceWidth *piece_width = nullptr;
    static constexpr PieceOf *piece_of = nullptr;
    static constexpr PieceAppend *append = nullptr;
    static constexpr PiecePrepend *prepend = nullptr;
    static constexpr PieceJoin *join = nullptr;
    static constexpr PieceView *piece_view = nullptr;

    static void accumulate(const Part &part, int32_t id, float sign, double *sums, float *memory) {
        const float *row = row_of<Sum>(part, id, memory);
        for (int i = 0; i < part.form.size; ++i) sums[i] += static_cast<double>(sign * row[i]);
    }

    static void slide(const Part &part, int32_t enters, int32_t leaves, int32_t later, double *sums,
                      float *view, float *memory) {
        typedef double Doubles __attribute__((vector_size(8 * HALF_WIDTH)));
        const int width = part.form.size, lines = width * number_bits(part.table) / 512;
        const char *ahead = address_of(part.table, later);
        for (int i = 0; i <= lines; ++i) __builtin_prefetch(ahead + i * 64);
        const float *const in = row_of<Sum>(part, enters, memory), *const out =
                                                                       row_of<Sum>(part, leaves,
                                                                                   memory + width);
        int i = 0;
        for (; i + HALF_WIDTH <= width; i += HALF_WIDTH) {
            Doubles sum;
            std::memcpy(&sum, sums + i, sizeof sum);
            sum += __builtin_convertvector(load<HalfVector>(in + i), Doubles) -
                   __builtin_convertvector(load<HalfVector>(out + i), Doubles);
            std::memcpy(sums + i, &sum, sizeof sum);
            store(view + i, __builtin_convertvector(sum, HalfVector));
        }
        for (; i < width; ++i) {
            sums[i] += static_cast<double>(in[i]) - static_cast<double>(out[i]);
            view[i] = static_cast<float>(sums[i]);
        }
    }

    // ---- training -------------------------------------------------------------------------------

    // Addresses of rows to be summed.
    static size_t train_memory(const TrainedPart &, const Sentence &sentence) {
        Arena arena(nullptr);
        arena.take<const float *>(sentence.longest_context + sentence.window_count);
        return arena.used();
    }

    static void forward(const TrainedPart &part, const Sentence &sentence, Rows views,
                        float *memory) {
        const float **rows = Arena(memory).take<const float *>(sentence.longest_context);
        for (int w = 0; w < sentence.window_count; ++w) {
            const Window &window = sentence.windows[w];
            int count = 0;
            for (int32_t i = window.low; i < window.high; ++i)
                if (i != window.target) rows[count++] = row_of(part, sentence.ids[i]);
            sum_rows(rows, count, part.widths.row, views[w]);
        }
    }

    // A word's gradient is the sum over the windows that it stands in; they lie side by side.
    static void backward(const TrainedPart &part, const Sentence &sentence, Rows view_gradients,
                         Rows word_gradients, float *memory) {
        const float **rows = Arena(memory).take<const float *>(sentence.window_count);
        int begin = 0, end = 0;
        for (int32_t i = sentence.first; i < sentence.first + sentence.length; ++i) {
            while (end < sentence.window_count && sentence.windows[end].low <= i) ++end;
            while (begin < end && sentence.windows[begin].high <= i) ++begin;
            if (sentence.word_rows[i] < 0) continue;
            int count = 0;
            for (int w = begin; w < end; ++w)
                if (sentence.windows[w].target != i) rows[count++] = view_gradients[w];
            sum_rows(rows, count, part.widths.row, word_gradients[sentence.word_rows[i]]);
        }
    }
};

}  // namespace cmow::CMOW_LEVEL

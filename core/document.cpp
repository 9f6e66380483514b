#include "document.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "parallel.hpp"
#include "sliding.hpp"

namespace cmow {

namespace {

constexpr int64_t BLOCK = 8;         // tokens of the smallest pieces that are kept
constexpr int64_t CHUNK = 1024;      // windows that slide on together, whatever the threads
constexpr int64_t FEW_SPANS = 64;    // that a thread takes at a time
constexpr int64_t FEW_SCORES = 256;  // that a thread takes at a time
constexpr int FINISHED = 32;         // views that become embeddings at a time

}  // namespace

// ---- views on their way to embeddings -----------------------------------------------------------

class Document::Output {
  public:
    Output(const Composer &composer, Normalize normalize, float *out)
        : composer_(composer), normalize_(normalize), out_(out),
          width_(composer.parts_width(Show::view)),
          parts_(static_cast<int>(composer.parts().size())),
          views_(composer.projected() ? static_cast<size_t>(FINISHED) * width_ : 0),
          exponents_(static_cast<size_t>(FINISHED) * parts_) {}

    // Has view(part, out) write the views of the next text, of so many tokens.
    template <class View>
    void add(int64_t length, const View &view) {
        float *x = views() + static_cast<size_t>(count_) * width_;
        for (int p = 0; p < parts_; x += composer_.parts()[p++].widths.view)
            exponents_[count_ * parts_ + p] = view(p, x);
        lengths_[count_++] = length;
        if (count_ == FINISHED) flush();
    }

    // Returns how many saturated.
    int64_t flush() {
        saturated_ +=
            composer_.finish(views(), exponents_.data(), lengths_, count_, normalize_, out_);
        out_ += static_cast<int64_t>(count_) * composer_.width(Show::view);
        count_ = 0;
        return saturated_;
    }

  private:
    // Without a projection they become embeddings where they are.
    float *views() { return views_.empty() ? out_ : views_.data(); }

    const Composer &composer_;
    Normalize normalize_;
    float *out_;
    int width_, parts_, count_ = 0;
    std::vector<float> views_;
    std::vector<int64_t> exponents_;
    int64_t lengths_[FINISHED];
    int64_t saturated_ = 0;
};

// ---- the document -------------------------------------------------------------------------------

Document::Document(const Composer &composer)
    : composer_(composer), level_(kernels()), kept_(composer.parts().size()) {
    for (size_t p = 0; p < kept_.size(); ++p)
        if (kind(static_cast<int>(p)).accumulate)
            kept_[p].sums.resize(composer.parts()[p].widths.row);
}

const PartKernels &Document::kind(int part) const {
    return level_.parts[composer_.parts()[part].form.kind];
}

Piece Document::piece(const Pieces &pieces, int width, int64_t number) const {
    return {pieces.numbers.data() + number * width, pieces.exponents[number]};
}

void Document::append(const int32_t *ids, int64_t count) {
    composer_.check_ids(ids, count);
    for (int64_t i = 0; i < count; ++i) {
        ids_.push_back(ids[i]);
        if (length() % BLOCK == 0)
            for (size_t p = 0; p < kept_.size(); ++p) add_block(static_cast<int>(p));
    }
}

void Document::add_block(int part) {
    Kept &kept = kept_[part];
    if (kind(part).accumulate) {
        const int width = composer_.parts()[part].widths.row;
        kept.sums.resize(kept.sums.size() + width);
        double *const sums = &kept.sums[kept.sums.size() - width];
        std::copy_n(sums - width, width, sums);
        Scratch memory;
        add_rows(part, 1, length() - BLOCK, length(), sums,
                 memory.floats(kind(part).encode_memory(composer_.parts()[part])));
        return;
    }
    Running block(*this, part);
    for (int64_t i = length() - BLOCK; i < length(); ++i) block.add(ids_[i]);
    const int width = block.width();
    // Two neighbors of a level are complete when a second one comes, and are joined above it.
    for (size_t l = 0;; ++l) {
        if (l == kept.levels.size()) kept.levels.emplace_back();
        Pieces &level = kept.levels[l];
        const Piece made = block.piece();
        level.numbers.insert(level.numbers.end(), made.numbers, made.numbers + width);
        level.exponents.push_back(made.exponent);
        const auto count = static_cast<int64_t>(level.exponents.size());
        if (count % 2 != 0) return;
        block.clear();
        block.add(piece(level, width, count - 2));
        block.add(piece(level, width, count - 1));
    }
}

void Document::add_rows(int part, float sign, int64_t begin, int64_t end, double *sums,
                        float *memory) const {
    const Part &own = composer_.parts()[part];
    for (int64_t i = begin; i < end; ++i) kind(part).accumulate(own, ids_[i], sign, sums, memory);
}

int64_t Document::span_view(int part, int64_t begin, int64_t end, float *view,
                            Scratch &memory) const {
    const Kept &kept = kept_[part];
    if (kind(part).accumulate) {
        const int width = composer_.parts()[part].widths.row;
        float *const rows = memory.floats(kind(part).encode_memory(composer_.parts()[part]));
        std::vector<double> sums(width);
        if (end - begin <= 2 * BLOCK) {
            add_rows(part, 1, begin, end, sums.data(), rows);
        } else {
            const double *const before = &kept.sums[begin / BLOCK * width],
                                *const whole = &kept.sums[end / BLOCK * width];
            for (int i = 0; i < width; ++i) sums[i] = whole[i] - before[i];
            add_rows(part, 1, end / BLOCK * BLOCK, end, sums.data(), rows);
            add_rows(part, -1, begin / BLOCK * BLOCK, begin, sums.data(), rows);
        }
        level_.narrow(sums.data(), width, view);
        return 0;
    }
    Running span(*this, part);
    while (begin < end) {
        if (begin % BLOCK != 0 || begin + BLOCK > end) {
            span.add(ids_[begin++]);
            continue;
        }
        // The largest piece that begins here and does not go beyond the end.
        size_t l = 0;
        while ((begin >> l) / BLOCK % 2 == 0 && begin + (BLOCK << (l + 1)) <= end) ++l;
        span.add(piece(kept.levels[l], span.width(), (begin >> l) / BLOCK));
        begin += BLOCK << l;
    }
    return span.view(view);
}

int64_t Document::spans(Spans spans, Normalize normalize, float *out, int threads) const {
    std::vector<Scratch> scratch(std::max(threads, 1));
    std::atomic<int64_t> saturated{0};
    parallel_for(spans.count, FEW_SPANS, threads, [&](int worker, int64_t first, int64_t last) {
        Output output(composer_, normalize, out + first * composer_.width(Show::view));
        for (int64_t i = first; i < last; ++i) {
            const int64_t begin = spans.begins[i], end = spans.ends[i];
            output.add(end - begin, [&](int part, float *view) {
                return span_view(part, begin, end, view, scratch[worker]);
            });
        }
        saturated += output.flush();
    });
    return saturated;
}

int64_t Document::windows(Spans spans, Normalize normalize, float *out, int threads) const {
    std::atomic<int64_t> saturated{0};
    parallel_for(spans.count, CHUNK, threads, [&](int, int64_t first, int64_t last) {
        std::vector<Sliding> sliding;
        sliding.reserve(kept_.size());
        for (size_t p = 0; p < kept_.size(); ++p) sliding.emplace_back(*this, static_cast<int>(p));
        Output output(composer_, normalize, out + first * composer_.width(Show::view));
        for (int64_t i = first; i < last; ++i) {
            const int64_t begin = spans.begins[i], end = spans.ends[i];
            output.add(end - begin,
                       [&](int part, float *view) { return sliding[part].view(begin, end, view); });
        }
        saturated += output.flush();
    });
    return saturated;
}

void Document::scores(const std::vector<int64_t> &bounds, int64_t first, int64_t count, int width,
                      const float *query, float *out, int threads) const {
    const int dim = composer_.width(Show::view);
    const auto last_bound = static_cast<int64_t>(bounds.size()) - 1;
    const auto end_of = [&](int64_t start) { return std::min(start + width, last_bound); };
    std::fill_n(out, count * width, -std::numeric_limits<float>::infinity());
    const int64_t chunk = std::max<int64_t>(1, FEW_SCORES / width);
    parallel_for(count, chunk, threads, [&](int, int64_t begin, int64_t end) {
        std::vector<float> embeddings(static_cast<size_t>(end - begin) * width * dim);
        Output output(composer_, Normalize::all, embeddings.data());
        std::vector<Growing> growing;
        growing.reserve(kept_.size());
        for (size_t p = 0; p < kept_.size(); ++p) growing.emplace_back(*this, static_cast<int>(p));
        for (int64_t start = first + begin; start < first + end; ++start) {
            for (Growing &each : growing) each.clear();
            for (int64_t b = start; b < end_of(start); ++b)
                output.add(bounds[b + 1] - bounds[start], [&](int part, float *view) {
                    return growing[part].view(bounds[b], bounds[b + 1], view);
                });
        }
        output.flush();
        const float *embedding = embeddings.data();
        for (int64_t i = begin; i < end; ++i)
            for (int64_t b = first + i; b < end_of(first + i); ++b, embedding += dim)
                if (bounds[b + 1] > bounds[first + i])
                    level_.dots(&query, 1, &embedding, 1, dim, &out[i * width + b - first - i]);
    });
}

}  // namespace cmow

#include "document.hpp"

#include <algorithm>
#include <atomic>
#include <limits>

#include "parallel.hpp"

namespace cmow {

namespace {

constexpr int64_t BLOCK = 8;       // tokens of the smallest pieces that are kept
constexpr int64_t CHUNK = 1024;    // windows that slide on together, whatever the threads
constexpr int64_t FEW_SPANS = 64;  // that a thread takes at a time
constexpr int64_t LATER = 4;       // tokens ahead of which memory is asked for
constexpr int FINISHED = 32;       // views that become embeddings at a time

// Zero and what the neutral element shows.
void neutral_view(const PartKernels &kind, const Part &part, float *view) {
    std::fill_n(view, part.widths.view, 0.0f);
    kind.add_neutral(part.form, 1, view);
}

}  // namespace

// ---- pieces that grow ---------------------------------------------------------------------------

// A piece that grows to the right, and room for the next one.
class Document::Running {
  public:
    Running(const Document &document, int part)
        : part_(document.composer_.parts()[part]), kind_(document.kind(part)),
          width_(kind_.piece_width(part_.form)) {
        const size_t scratch = width_ + kind_.encode_memory(part_);
        float *memory = memory_.floats(3 * width_ + scratch);
        now_ = memory;
        next_ = memory + width_;
        token_ = memory + 2 * width_;
        scratch_ = memory + 3 * width_;
    }

    bool empty() const { return empty_; }
    void clear() { empty_ = true; }
    Piece piece() const { return {now_, exponent_}; }

    void add(Piece more) {
        if (empty_) {
            std::copy_n(more.numbers, width_, now_);
            exponent_ = more.exponent;
            empty_ = false;
            return;
        }
        exponent_ = kind_.join(part_.form, piece(), more, Show::element, next_);
        std::swap(now_, next_);
    }

    void add(int32_t id) {
        if (empty_) return add(token(id));
        exponent_ = kind_.append(part_, piece(), id, next_, scratch_);
        std::swap(now_, next_);
    }

    Piece token(int32_t id) {
        const int64_t exponent = kind_.piece_of(part_, id, token_, scratch_);
        return {token_, exponent};
    }

    // Of a token in front of a piece; returns the exponent.
    int64_t prepended(int32_t id, Piece right, float *out) {
        return kind_.prepend(part_, id, right, out, scratch_);
    }

    int64_t view(float *out) const {
        if (empty_) {
            neutral_view(kind_, part_, out);
            return 0;
        }
        kind_.piece_view(part_.form, now_, out);
        return exponent_;
    }

    // What a piece in front of this one makes of it shows.
    int64_t view_behind(Piece front, float *out) {
        if (empty_) {
            kind_.piece_view(part_.form, front.numbers, out);
            return front.exponent;
        }
        const int64_t exponent = kind_.join(part_.form, front, piece(), Show::view, next_);
        kind_.piece_view(part_.form, next_, out);
        return exponent;
    }

    int width() const { return width_; }

  private:
    const Part &part_;
    const PartKernels &kind_;
    int width_;
    Scratch memory_;
    float *now_, *next_, *token_, *scratch_;
    int64_t exponent_ = 0;
    bool empty_ = true;
};

// Rows that are added, in double.
class Document::Sum {
  public:
    Sum(const Document &document, int part)
        : document_(document), part_(part), own_(document.composer_.parts()[part]),
          kind_(document.kind(part)) {
        const size_t doubles = 2 * static_cast<size_t>(own_.widths.row);
        float *const memory = memory_.floats(doubles + kind_.encode_memory(own_));
        sums_ = reinterpret_cast<double *>(memory);
        rows_ = memory + doubles;
        clear();
    }

    void clear() { std::fill_n(sums_, own_.widths.row, 0.0); }

    void add(int64_t begin, int64_t end, float sign = 1) {
        document_.add_rows(part_, sign, begin, end, sums_, rows_);
    }

    // Takes the token at one place and leaves that at another; shows what is there then.
    void slide(int64_t enters, int64_t leaves, float *out) {
        const std::vector<int32_t> &ids = document_.ids_;
        const int64_t later = std::min(enters + LATER, document_.length() - 1);
        kind_.slide(own_, ids[enters], ids[leaves], ids[later], sums_, out, rows_);
    }

    int64_t view(float *out) const {
        document_.level_.narrow(sums_, own_.widths.row, out);
        return 0;
    }

  private:
    const Document &document_;
    int part_;
    const Part &own_;
    const PartKernels &kind_;
    Scratch memory_;
    double *sums_;
    float *rows_;  // room for what is widened
};

// ---- spans that move on -------------------------------------------------------------------------

// A span is what remains of a front, whose ends are all kept, and a back, which grows. When the
// front is used up, the whole span becomes the next one.
class Document::Sliding {
  public:
    Sliding(const Document &document, int part)
        : document_(document), adds_(document.kind(part).accumulate), part_(part) {
        if (adds_)
            sum_.emplace(document, part);
        else
            back_.emplace(document, part);
    }

    int64_t view(int64_t begin, int64_t end, float *out) {
        if (adds_) return added(begin, end, out);
        if (begin == end) {
            neutral_view(document_.kind(part_), document_.composer_.parts()[part_], out);
            return 0;
        }
        if (begin >= front_end_) {
            fold(begin, end);
        } else {
            for (; back_end_ < end; ++back_end_) back_->add(document_.ids_[back_end_]);
        }
        return back_->view_behind(front(begin), out);
    }

  private:
    int64_t added(int64_t begin, int64_t end, float *out) {
        if (begin >= back_end_) {
            sum_->clear();
            front_begin_ = back_end_ = begin;
        }
        // At its usual pace one token enters and one leaves.
        if (end == back_end_ + 1 && begin == front_begin_ + 1) {
            sum_->slide(back_end_++, front_begin_++, out);
            return 0;
        }
        sum_->add(back_end_, end);
        sum_->add(front_begin_, begin, -1);
        front_begin_ = begin;
        back_end_ = end;
        return sum_->view(out);
    }

    // Makes a front of the whole span: the pieces from each of its tokens to its end.
    void fold(int64_t begin, int64_t end) {
        const int width = back_->width();
        back_->clear();
        front_begin_ = begin;
        front_end_ = back_end_ = end;
        float *const numbers = memory_.floats((end - begin) * width);
        exponents_.resize(end - begin);
        const Piece last = back_->token(document_.ids_[end - 1]);
        std::copy_n(last.numbers, width, numbers + (end - 1 - begin) * width);
        exponents_.back() = last.exponent;
        for (int64_t i = end - 2; i >= begin; --i)
            exponents_[i - begin] =
                back_->prepended(document_.ids_[i], front(i + 1), numbers + (i - begin) * width);
    }

    Piece front(int64_t begin) {
        return {memory_.floats(0) + (begin - front_begin_) * back_->width(),
                exponents_[begin - front_begin_]};
    }

    const Document &document_;
    bool adds_;
    int part_;
    std::optional<Sum> sum_;
    std::optional<Running> back_;
    Scratch memory_;
    std::vector<int64_t> exponents_;
    int64_t front_begin_ = 0, front_end_ = 0, back_end_ = 0;
};

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
    // Two neighbours of a level are complete when a second one comes, and are joined above it.
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
    const auto parts = static_cast<int>(kept_.size());
    parallel_for(count, 1, threads, [&](int, int64_t start, int64_t) {
        const int64_t bound = first + start, begin = bounds[bound];
        const int some = static_cast<int>(std::min<int64_t>(width, last_bound - bound));
        std::vector<float> embeddings(static_cast<size_t>(some) * dim);
        Output output(composer_, Normalize::all, embeddings.data());
        std::vector<std::optional<Running>> products(parts);
        std::vector<std::optional<Sum>> sums(parts);
        for (int p = 0; p < parts; ++p)
            if (kind(p).accumulate)
                sums[p].emplace(*this, p);
            else
                products[p].emplace(*this, p);
        for (int w = 0; w < some; ++w) {
            const int64_t from = bounds[bound + w], to = bounds[bound + w + 1];
            output.add(to - begin, [&](int p, float *view) {
                if (sums[p]) {
                    sums[p]->add(from, to);
                    return sums[p]->view(view);
                }
                for (int64_t i = from; i < to; ++i) products[p]->add(ids_[i]);
                return products[p]->view(view);
            });
        }
        output.flush();
        float *const row = out + start * width;
        std::fill_n(row, width, -std::numeric_limits<float>::infinity());
        for (int w = 0; w < some; ++w) {
            const float *embedding = &embeddings[static_cast<size_t>(w) * dim];
            if (bounds[bound + w + 1] > begin) level_.dots(&query, 1, &embedding, 1, dim, &row[w]);
        }
    });
}

}  // namespace cmow

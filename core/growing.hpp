// What a span of a document grows from, token by token: pieces, or sums of rows.
#pragma once

#include <algorithm>
#include <optional>

#include "document.hpp"

namespace cmow {

// Zero and what the neutral element shows.
inline void neutral_view(const PartKernels &kind, const Part &part, float *view) {
    std::fill_n(view, part.widths.view, 0.0f);
    kind.add_neutral(part.form, 1, view);
}

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
    static constexpr int64_t LATER = 4;  // tokens ahead of which memory is asked for

    const Document &document_;
    int part_;
    const Part &own_;
    const PartKernels &kind_;
    Scratch memory_;
    double *sums_;
    float *rows_;  // room for what is widened
};

// A span of any part that grows to the right.
class Document::Growing {
  public:
    Growing(const Document &document, int part) : document_(document) {
        if (document.kind(part).accumulate)
            sum_.emplace(document, part);
        else
            product_.emplace(document, part);
    }

    void clear() {
        if (sum_)
            sum_->clear();
        else
            product_->clear();
    }

    // What it shows with the tokens from one place to before another.
    int64_t view(int64_t begin, int64_t end, float *out) {
        if (sum_) {
            sum_->add(begin, end);
            return sum_->view(out);
        }
        for (int64_t i = begin; i < end; ++i) product_->add(document_.ids_[i]);
        return product_->view(out);
    }

  private:
    const Document &document_;
    std::optional<Running> product_;
    std::optional<Sum> sum_;
};

}  // namespace cmow

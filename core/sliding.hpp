// Spans of a document that move on, neither end of which ever goes back.
#pragma once

#include <optional>

#include "growing.hpp"

namespace cmow {

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

}  // namespace cmow

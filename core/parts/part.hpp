// A kind of part is a monoid with kernels: a struct with these static members, in a file of its
// own.
//
//     NAME                 as users write it
//     widths(form)         numbers of a row, of an element, of an element's view; none of them for
//                          constants that do not fit
//     add_neutral(form, factor, view)  adds the neutral element's view so many times
//     add_origin(form, x)  adds the row that rows start around: rows with scales deviate from it
//     encode_memory, encode                  texts into views or elements
//     train_memory, forward, backward        windows into views, and back to gradients of rows
//     piece_width, piece_of, append, prepend, join, piece_view
//                          pieces of a text, of which spans are made
//     accumulate, slide    instead of them where rows are added
//
// kernels.hpp has their signatures. parts.cpp lists the kinds.
#pragma once

#include "../level.hpp"
#include "../rows.hpp"

namespace cmow::CMOW_LEVEL {

template <class Kind>
constexpr PartKernels kernels_of() {
    return {
        .name = Kind::NAME,
        .widths = Kind::widths,
        .add_neutral = Kind::add_neutral,
        .encode_memory = Kind::encode_memory,
        .encode = Kind::encode,
        .train_memory = Kind::train_memory,
        .forward = Kind::forward,
        .backward = Kind::backward,
        .piece_width = Kind::piece_width,
        .piece_of = Kind::piece_of,
        .append = Kind::append,
        .prepend = Kind::prepend,
        .join = Kind::join,
        .piece_view = Kind::piece_view,
        .accumulate = Kind::accumulate,
        .slide = Kind::slide,
    };
}

// Row `id` of a part's table: in place for float32, else widened into `buffer`.
template <class Kind>
const float *row_of(const Part &part, int64_t id, float *buffer) {
    const Table &table = part.table;
    if (table.storage == Storage::float32)
        return static_cast<const float *>(table.rows) + id * table.width;
    widen_row(table, id, buffer);
    if (table.scales) Kind::add_origin(part.form, buffer);
    return buffer;
}

// The row of a word of a batch, as it is trained.
inline const float *row_of(const TrainedPart &part, int32_t id) {
    return part.table + static_cast<int64_t>(id) * part.widths.row;
}

// Hands out pieces of memory, each on a cache line of its own; without memory it only counts.
class Arena {
  public:
    explicit Arena(float *memory) : memory_(memory) {}

    template <class T>
    T *take(size_t count) {
        T *piece = reinterpret_cast<T *>(memory_ + used_);
        used_ += (count * sizeof(T) + 63) / 64 * 64 / sizeof(float);
        return piece;
    }

    bool has_memory() const { return memory_; }
    size_t used() const { return used_; }

  private:
    float *memory_;
    size_t used_ = 0;
};

}  // namespace cmow::CMOW_LEVEL

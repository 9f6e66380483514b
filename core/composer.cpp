#include "composer.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "parallel.hpp"
#include "scratch.hpp"

namespace cmow {

namespace {

constexpr int BLOCK = 64;  // texts that are projected at a time

// Small enough that the threads end together, large enough to be worth a fetch.
int64_t chunk(int64_t count, int threads) {
    return std::clamp<int64_t>(count / (8 * std::max(threads, 1)), 16, 1024);
}

}  // namespace

int find_part(const std::string &name) {
    const PartKernels *parts = kernels().parts;
    for (int kind = 0; parts[kind].name; ++kind)
        if (parts[kind].name == name) return kind;
    return -1;
}

void Composer::add(const Part &part) {
    if (parts_.size() == MOST_PARTS) throw std::invalid_argument("an encoder has at most 16 parts");
    if (!parts_.empty() && parts_[0].table.count != part.table.count)
        throw std::invalid_argument("all parts must have a row for the same tokens");
    parts_.push_back(part);
}

int Composer::width(Show show) const {
    if (projection_ && show == Show::view) return projection_->dim();
    return parts_width(show);
}

int Composer::parts_width(Show show) const {
    int width = 0;
    for (const Part &part : parts_)
        width += show == Show::view ? part.widths.view : part.widths.element + part.mean;
    return width;
}

int64_t Composer::compose(Sequences sequences, int64_t count, Show show, Normalize normalize,
                          float *out, int threads) const {
    const int64_t *const range = sequences.offsets;
    check_ids(sequences.ids + range[0], range[count] - range[0]);
    const bool projected = projection_ && show == Show::view;
    std::vector<Scratch> scratch(std::max(threads, 1));
    std::atomic<int64_t> saturated{0};
    const auto work = [&](int worker, int64_t begin, int64_t end) {
        if (projected)
            saturated += project(sequences, begin, end, normalize, out, scratch[worker]);
        else
            saturated +=
                compose_parts(sequences, begin, end, show, normalize, out, scratch[worker]);
    };
    parallel_for(count, chunk(count, threads), threads, work);
    return saturated;
}

int64_t Composer::compose_parts(Sequences sequences, int64_t begin, int64_t end, Show show,
                                Normalize normalize, float *out, Scratch &memory) const {
    const Kernels &level = kernels();
    const Parts parts{parts_.data(), static_cast<int>(parts_.size())};
    return level.compose(parts, sequences, begin, end, show, normalize, out, parts_width(show),
                         memory.floats(level.compose_memory(parts)));
}

int64_t Composer::project(Sequences sequences, int64_t begin, int64_t end, Normalize normalize,
                          float *out, Scratch &memory) const {
    const int width = parts_width(Show::view), dim = projection_->dim();
    std::vector<float> views(static_cast<size_t>(BLOCK) * width);
    int64_t saturated = 0;
    for (int64_t first = begin; first < end; first += BLOCK) {
        const int count = static_cast<int>(std::min<int64_t>(BLOCK, end - first));
        const Sequences some{sequences.ids, sequences.offsets + first};
        saturated +=
            compose_parts(some, 0, count, Show::view, Normalize::bounded, views.data(), memory);
        const auto is_empty = [&](int i) { return some.offsets[i] == some.offsets[i + 1]; };
        place(views.data(), count, is_empty, normalize, out + first * dim);
    }
    return saturated;
}

template <class IsEmpty>
void Composer::place(float *views, int count, const IsEmpty &is_empty, Normalize normalize,
                     float *out) const {
    const int dim = projection_->dim();
    projection_->shorten(views, parts_width(Show::view), count);
    projection_->apply(views, parts_width(Show::view), count, out);
    for (int i = 0; i < count; ++i, out += dim) {
        if (is_empty(i)) std::fill_n(out, dim, 0.0f);
        if (normalize != Normalize::none) make_unit(out, dim);
    }
}

int64_t Composer::finish(float *views, const int64_t *exponents, const int64_t *lengths, int count,
                         Normalize normalize, float *out) const {
    const Parts parts{parts_.data(), static_cast<int>(parts_.size())};
    const int width = parts_width(Show::view);
    int64_t saturated = 0;
    for (int i = 0; i < count; ++i)
        saturated += kernels().finish(parts, exponents + i * parts.count, lengths[i],
                                      projection_ ? Normalize::bounded : normalize,
                                      views + static_cast<int64_t>(i) * width);
    if (projection_)
        place(views, count, [&](int i) { return lengths[i] == 0; }, normalize, out);
    else if (views != out)
        std::copy_n(views, static_cast<int64_t>(count) * width, out);
    return saturated;
}

void Composer::check_ids(const int32_t *ids, int64_t count) const {
    const uint32_t limit = static_cast<uint32_t>(parts_[0].table.count);
    bool bad = false;
    for (int64_t i = 0; i < count; ++i) bad |= static_cast<uint32_t>(ids[i]) >= limit;
    if (!bad) return;
    int64_t i = 0;
    while (static_cast<uint32_t>(ids[i]) < limit) ++i;
    throw std::out_of_range("id " + std::to_string(ids[i]) + " is not in the vocabulary of " +
                            std::to_string(limit) + " words");
}

}  // namespace cmow

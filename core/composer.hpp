// Texts of ids into embeddings, on any number of threads.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "levels.hpp"
#include "projection.hpp"
#include "scratch.hpp"

namespace cmow {

// The kind of part of a name; -1 if there is none.
int find_part(const std::string &name);

class Composer {
  public:
    void add(const Part &part);

    // From now on embeddings are projected.
    void project(Projection projection) { projection_ = std::move(projection); }

    // Writes a row of `out` for each of `count` sequences; returns how many saturated. Throws
    // std::out_of_range for an id without a row.
    int64_t compose(Sequences sequences, int64_t count, Show show, Normalize normalize, float *out,
                    int threads) const;

    // The parts' views of a few texts become rows of `out`; returns how many saturated.
    //
    // :param views: one part's behind the other's; overwritten; may be `out`
    // :param exponents: of each text, one for each part
    int64_t finish(float *views, const int64_t *exponents, const int64_t *lengths, int count,
                   Normalize normalize, float *out) const;

    const std::vector<Part> &parts() const { return parts_; }
    bool projected() const { return projection_.has_value(); }
    int width(Show show) const;
    int parts_width(Show show) const;

    // Throws std::out_of_range for an id without a row.
    void check_ids(const int32_t *ids, int64_t count) const;

  private:
    template <class IsEmpty>
    void place(float *views, int count, const IsEmpty &is_empty, Normalize normalize,
               float *out) const;
    int64_t compose_parts(Sequences sequences, int64_t begin, int64_t end, Show show,
                          Normalize normalize, float *out, Scratch &memory) const;
    int64_t project(Sequences sequences, int64_t begin, int64_t end, Normalize normalize,
                    float *out, Scratch &memory) const;

    std::vector<Part> parts_;
    std::optional<Projection> projection_;
};

}  // namespace cmow

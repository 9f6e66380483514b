// A linear map of the parts' views into one space: a bias, and a placement for each view, which
// says at which columns it is added, as it is or times a matrix.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "levels.hpp"

namespace cmow {

inline double norm_of(const float *x, int size) {
    double squares[4] = {};  // independent of one another, so that they are added side by side
    for (int i = 0; i < size; ++i) squares[i % 4] += static_cast<double>(x[i]) * x[i];
    return std::sqrt(squares[0] + squares[1] + squares[2] + squares[3]);
}

// Makes a vector a unit vector, if it is not zero, and returns its norm.
inline float make_unit(float *x, int size) {
    const float norm = static_cast<float>(norm_of(x, size));
    for (int i = 0; norm > 0 && i < size; ++i) x[i] /= norm;
    return norm;
}

struct Placement {
    int view, width;      // where the part's view begins among all views, and its numbers
    int column, columns;  // where it goes
    const float *matrix;  // a row for each number of the view; null: the view is added as it is
    float factor;         // of a view that is added as it is
    float longest;        // a view with a larger norm is brought back to it
};

class Projection {
  public:
    Projection(const std::vector<Placement> &placements, const float *bias, int dim)
        : placements_(placements), bias_(bias), dim_(dim) {
        for (const Placement &each : placements_) {
            std::vector<const float *> &rows = matrix_rows_.emplace_back();
            for (int r = 0; each.matrix && r < each.width; ++r)
                rows.push_back(each.matrix + static_cast<int64_t>(r) * each.columns);
        }
    }

    int dim() const { return dim_; }

    // Brings views that are longer than their placements want back to that.
    void shorten(float *views, int stride, int count) const {
        for (const Placement &place : placements_)
            for (int i = 0; i < count; ++i) {
                float *view = views + static_cast<int64_t>(i) * stride + place.view;
                if (is_short(view, place)) continue;
                const double norm = norm_of(view, place.width);
                if (norm <= place.longest) continue;
                const float factor = static_cast<float>(place.longest / norm);
                for (int j = 0; j < place.width; ++j) view[j] *= factor;
            }
    }

    // out[i] = bias + the placed views of text i
    void apply(const float *views, int stride, int count, float *out) const {
        for (int i = 0; i < count; ++i)
            std::copy_n(bias_, dim_, out + static_cast<int64_t>(i) * dim_);
        std::vector<float *> rows(count);
        for (size_t p = 0; p < placements_.size(); ++p) {
            const Placement &place = placements_[p];
            for (int i = 0; i < count; ++i)
                rows[i] = out + static_cast<int64_t>(i) * dim_ + place.column;
            if (place.matrix)
                kernels().combine({views + place.view, stride, 1}, matrix_rows_[p].data(),
                                  place.width, place.columns, rows.data(), count);
            else
                add(place, views, stride, rows);
        }
    }

  private:
    // Whether a view is surely no longer than it may be: floats are quick to tell.
    static bool is_short(const float *view, const Placement &place) {
        float square;
        kernels().dots(&view, 1, &view, 1, place.width, &square);
        return square < 0.999f * place.longest * place.longest;
    }

    static void add(const Placement &place, const float *views, int stride,
                    const std::vector<float *> &rows) {
        for (size_t i = 0; i < rows.size(); ++i) {
            const float *view = views + static_cast<int64_t>(i) * stride + place.view;
            for (int j = 0; j < place.columns; ++j) rows[i][j] += place.factor * view[j];
        }
    }

    std::vector<Placement> placements_;
    const float *bias_;
    int dim_;
    std::vector<std::vector<const float *>> matrix_rows_;
};

}  // namespace cmow

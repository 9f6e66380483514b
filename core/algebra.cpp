// What objectives are made of: small matrix products over rows that lie anywhere in memory, and the
// logistic loss.
#include "level.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

inline float horizontal_sum(Vector v) {
    float sums[WIDTH];
    store(sums, v);
    for (int width = WIDTH / 2; width > 0; width /= 2)
        for (int i = 0; i < width; ++i) sums[i] += sums[i + width];
    return sums[0];
}

template <int X, int Y>
ALWAYS_INLINE void dots_block(const float *const *x, const float *const *y, int width, float *out,
                              int out_stride) {
    Vector sum[X][Y] = {};
    int i = 0;
    for (; i + WIDTH <= width; i += WIDTH) {
        Vector right[Y];
#pragma GCC unroll 8
        for (int b = 0; b < Y; ++b) right[b] = load<Vector>(y[b] + i);
#pragma GCC unroll 8
        for (int a = 0; a < X; ++a) {
            const Vector left = load<Vector>(x[a] + i);
#pragma GCC unroll 8
            for (int b = 0; b < Y; ++b) sum[a][b] += left * right[b];
        }
    }
    for (int a = 0; a < X; ++a)
        for (int b = 0; b < Y; ++b) {
            float dot = horizontal_sum(sum[a][b]);
            for (int j = i; j < width; ++j) dot += x[a][j] * y[b][j];
            out[a * out_stride + b] = dot;
        }
}

template <int X>
ALWAYS_INLINE void dots_rows(const float *const *x, const float *const *y, int y_count, int width,
                             float *out, int out_stride) {
    int b = 0;
    for (; b + 4 <= y_count; b += 4) dots_block<X, 4>(x, y + b, width, out + b, out_stride);
    for (; b < y_count; ++b) dots_block<X, 1>(x, y + b, width, out + b, out_stride);
}

template <int ROWS, int VECTORS>
ALWAYS_INLINE void combine_block(Weights weights, const float *const *in, int in_count, int at,
                                 float *const *out) {
    Vector sum[ROWS][VECTORS];
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; ++r)
#pragma GCC unroll 8
        for (int j = 0; j < VECTORS; ++j) sum[r][j] = load<Vector>(out[r] + at + j * WIDTH);
    for (int k = 0; k < in_count; ++k) {
        Vector row[VECTORS];
#pragma GCC unroll 8
        for (int j = 0; j < VECTORS; ++j) row[j] = load<Vector>(in[k] + at + j * WIDTH);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; ++r) {
            const Vector weight =
                broadcast<Vector>(weights.data[r * weights.row + k * weights.column]);
#pragma GCC unroll 8
            for (int j = 0; j < VECTORS; ++j) sum[r][j] += weight * row[j];
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; ++r)
#pragma GCC unroll 8
        for (int j = 0; j < VECTORS; ++j) store(out[r] + at + j * WIDTH, sum[r][j]);
}

template <int VECTORS>
ALWAYS_INLINE void combine_columns(Weights weights, const float *const *in, int in_count, int at,
                                   float *const *out, int out_count) {
    constexpr int MOST = REGISTERS == 32 ? 8 : 4;  // rows whose sums fit into the registers
    int r = 0;
    for (; r + MOST <= out_count; r += MOST)
        combine_block<MOST, VECTORS>({weights.data + r * weights.row, weights.row, weights.column},
                                     in, in_count, at, out + r);
    for (; MOST > 4 && r + 4 <= out_count; r += 4)
        combine_block<4, VECTORS>({weights.data + r * weights.row, weights.row, weights.column}, in,
                                  in_count, at, out + r);
    for (; r < out_count; ++r)
        combine_block<1, VECTORS>({weights.data + r * weights.row, weights.row, weights.column}, in,
                                  in_count, at, out + r);
}

// log(1 + exp(x)), and its derivative, the sigmoid.
float softplus(float x, float &derivative) {
    const float e = __builtin_expf(x > 0 ? -x : x);
    derivative = (x > 0 ? 1 : e) / (1 + e);
    return (x > 0 ? x : 0) + __builtin_log1pf(e);
}

}  // namespace

void dots(const float *const *x, int x_count, const float *const *y, int y_count, int width,
          float *out) {
    int a = 0;
    for (; a + 3 <= x_count; a += 3)
        dots_rows<3>(x + a, y, y_count, width, out + a * y_count, y_count);
    for (; a < x_count; ++a) dots_rows<1>(x + a, y, y_count, width, out + a * y_count, y_count);
}

void combine(Weights weights, const float *const *in, int in_count, int width, float *const *out,
             int out_count) {
    int at = 0;
    for (; at + 3 * WIDTH <= width; at += 3 * WIDTH)
        combine_columns<3>(weights, in, in_count, at, out, out_count);
    for (; at + WIDTH <= width; at += WIDTH)
        combine_columns<1>(weights, in, in_count, at, out, out_count);
    for (int r = 0; at < width && r < out_count; ++r)
        for (int k = 0; k < in_count; ++k) {
            const float weight = weights.data[r * weights.row + k * weights.column];
            for (int i = at; i < width; ++i) out[r][i] += weight * in[k][i];
        }
}

void narrow(const double *from, int count, float *to) {
    for (int i = 0; i < count; ++i) to[i] = static_cast<float>(from[i]);
}

void scale(float weight, const float *row, int width, float *out) {
    for (int i = 0; i < width; ++i) out[i] = weight * row[i];
}

double logistic_loss(float *scores, int count, float sign, float weight, float scale) {
    double loss = 0;
    for (int i = 0; i < count; ++i) {
        float derivative;
        loss += softplus(sign * scores[i], derivative);
        scores[i] = sign * weight * scale * derivative;
    }
    return weight * loss;
}

}  // namespace cmow::CMOW_LEVEL

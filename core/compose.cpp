// Embeddings of token sequences: each part composes the rows of its table, starting from the
// neutral element, in reading order; the embedding shows its view of the result.
#include "level.hpp"
#include "rows.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

// A number mantissa * 2^exponent beyond the range of float.
struct Scaled {
    double mantissa;
    int64_t exponent;
};

double power_of_two(int64_t exponent) {
    if (exponent < -1000) return 0;
    if (exponent > 1000) exponent = 1000;
    const uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
    double x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}

Scaled norm_of(const float *x, int size, int64_t exponent) {
    double sums[8] = {};  // independent sums, so that the additions need not wait for each other
    for (int i = 0; i < size; ++i) sums[i % 8] += static_cast<double>(x[i]) * x[i];
    double sum = 0;
    for (double each : sums) sum += each;
    return {__builtin_sqrt(sum), exponent};
}

void times(float *x, int size, double factor) {
    for (int i = 0; i < size; ++i) x[i] = static_cast<float>(x[i] * factor);
}

bool scale_saturating(float *x, int size, int64_t exponent) {
    if (exponent == 0) return false;
    const double factor = power_of_two(exponent);
    constexpr double LARGEST = 0x1.fffffep127;
    int beyond = 0;
    for (int i = 0; i < size; ++i) {
        const double y = x[i] * factor;
        beyond += y > LARGEST || y < -LARGEST;
        x[i] = static_cast<float>(y > LARGEST ? LARGEST : y < -LARGEST ? -LARGEST : y);
    }
    return beyond > 0;
}

// The norm of several parts together.
Scaled joint_norm(const Scaled *norms, int count) {
    Scaled joint{0, INT64_MIN};
    for (int p = 0; p < count; ++p)
        if (norms[p].mantissa > 0 && norms[p].exponent > joint.exponent)
            joint.exponent = norms[p].exponent;
    double squares = 0;
    for (int p = 0; p < count; ++p)
        if (norms[p].mantissa > 0) {
            const double mantissa =
                norms[p].mantissa * power_of_two(norms[p].exponent - joint.exponent);
            squares += mantissa * mantissa;
        }
    joint.mantissa = __builtin_sqrt(squares);
    return joint;
}

void normalize_parts(Parts parts, const int64_t *exponents, Normalize normalize, float *embedding) {
    Scaled norms[MOST_PARTS];
    float *x = embedding;
    for (int p = 0; p < parts.count; x += parts.data[p++].widths.view)
        norms[p] = norm_of(x, parts.data[p].widths.view, exponents[p]);
    const Scaled joint = joint_norm(norms, parts.count);
    x = embedding;
    for (int p = 0; p < parts.count; x += parts.data[p++].widths.view) {
        const Scaled norm = normalize == Normalize::all ? joint : norms[p];
        if (norm.mantissa > 0)
            times(x, parts.data[p].widths.view,
                  power_of_two(exponents[p] - norm.exponent) / norm.mantissa);
    }
}

// The bits of infinity and NaN are above those of every number.
bool all_finite(const float *x, int size) {
    uint32_t largest = 0;
    for (int i = 0; i < size; ++i) {
        const uint32_t magnitude = to_bits(x[i]) & 0x7fffffffu;
        largest = magnitude > largest ? magnitude : largest;
    }
    return largest < 0x7f800000u;
}

}  // namespace

bool finish(Parts parts, const int64_t *exponents, int64_t length, Normalize normalize,
            float *embedding) {
    constexpr int64_t MOST = 60;  // numbers are below 2^60, so that no product is beyond float32
    bool too_large = false;
    float *x = embedding;
    for (int p = 0; p < parts.count; ++p) {
        const Part &part = parts.data[p];
        const int width = part.widths.view;
        if (part.mean) {
            const double neutral = power_of_two(-exponents[p]);
            PARTS[part.form.kind].add_neutral(part.form, static_cast<float>(-neutral), x);
            if (length > 0) times(x, width, 1.0 / static_cast<double>(length));
        }
        if (normalize == Normalize::none) too_large |= scale_saturating(x, width, exponents[p]);
        if (normalize == Normalize::bounded)
            times(x, width, power_of_two(exponents[p] < MOST ? exponents[p] : MOST));
        x += width;
    }
    if (normalize == Normalize::all || normalize == Normalize::parts)
        normalize_parts(parts, exponents, normalize, embedding);
    return too_large || !all_finite(embedding, static_cast<int>(x - embedding));
}

int64_t compose(Parts parts, Sequences sequences, int64_t begin, int64_t end, Show show,
                Normalize normalize, float *out, int dim, float *memory) {
    int64_t saturated = 0;
    int64_t exponents[MOST_PARTS];
    for (int64_t s = begin; s < end; ++s) {
        const int32_t *ids = sequences.ids + sequences.offsets[s];
        const int64_t length = sequences.offsets[s + 1] - sequences.offsets[s];
        float *const embedding = out + s * dim;
        float *x = embedding;
        bool too_large = false;
        for (int p = 0; p < parts.count; ++p) {
            const Part &part = parts.data[p];
            const int width = show == Show::view ? part.widths.view : part.widths.element;
            exponents[p] = PARTS[part.form.kind].encode(part, ids, length, show, x, memory);
            if (show == Show::element) too_large |= scale_saturating(x, width, exponents[p]);
            x += width;
            if (part.mean && show == Show::element) *x++ = static_cast<float>(length);
        }
        if (show == Show::view)
            saturated += finish(parts, exponents, length, normalize, embedding);
        else
            saturated += too_large || !all_finite(embedding, dim);
    }
    return saturated;
}

size_t compose_memory(Parts parts) {
    size_t most = 0;
    for (int p = 0; p < parts.count; ++p) {
        const Part &part = parts.data[p];
        const size_t need = PARTS[part.form.kind].encode_memory(part);
        most = need > most ? need : most;
    }
    return most;
}

}  // namespace cmow::CMOW_LEVEL

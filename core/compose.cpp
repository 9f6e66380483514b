// Embeddings of token sequences: each part composes the rows of its table, starting from the
// neutral element, in reading order.
//
// A table stores matrices by columns, that is, transposed. The product of the words in reading
// order is then a running product that each next word multiplies from the left, and its memory is
// the flattening by columns that the embedding wants.
#include "level.hpp"
#include "matmul.hpp"
#include "rows.hpp"
#include "sums.hpp"
#include "vector.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

constexpr int SUM_LOOKAHEAD = 8;  // rows whose memory is asked for early

constexpr int FAR = 32;           // binary orders of magnitude a running product may stray

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

// ---- sum ----------------------------------------------------------------------------------------

void compose_sum(const Part &part, const int32_t *ids, int64_t length, float *out, float *scratch) {
    const Table &table = part.table;
    std::memset(out, 0, sizeof(float) * table.width);
    const float *rows[SUM_ROWS];
    const char *later[SUM_ROWS];
    int64_t i = 0;
    for (; i + SUM_ROWS <= length; i += SUM_ROWS) {
        for (int r = 0; r < SUM_ROWS; ++r) {
            const int64_t ahead = i + r + SUM_LOOKAHEAD;
            later[r] = address_of(table, ids[ahead < length ? ahead : i + r]);
            rows[r] = row_of(part, ids[i + r], scratch + r * table.width);
        }
        add_rows(rows, table.width, out, later, number_size(table));
    }
    for (; i < length; ++i) {
        const float *row = row_of(part, ids[i], scratch);
        for (int j = 0; j < table.width; ++j) out[j] += row[j];
    }
}

// ---- product ------------------------------------------------------------------------------------

// Reads a sequence as nodes: tokens, or the longest cached n-grams from left to right.
class Nodes {
  public:
    Nodes(const Part &part, const int32_t *ids, int64_t length)
        : part_(part), id_(ids), end_(ids + length) {}

    int64_t next() {  // -1 at the end
        if (id_ == end_) return -1;
        int32_t node = *id_++;
        if (part_.ngrams)
            for (int32_t longer; id_ != end_ && (longer = follow(node, *id_)) >= 0; ++id_)
                node = longer;
        return node;
    }

    const float *row(int64_t node, float *buffer) const {
        const Table &table = part_.table;
        if (node < table.count) return row_of(part_, node, buffer);
        return part_.ngrams->rows + (node - table.count) * table.width;
    }

    Ahead memory(int64_t node) const {
        const Table &table = part_.table;
        if (node < 0) return {};
        if (node < table.count)
            return {address_of(table, node), address_of(table, node + 1)};
        const Table cached{part_.ngrams->rows, nullptr, Storage::float32, 0, table.width};
        return {address_of(cached, node - table.count), address_of(cached, node - table.count + 1)};
    }

  private:
    int32_t follow(int32_t node, int32_t token) const {
        const NgramTable &ngrams = *part_.ngrams;
        for (uint64_t i = ngram_hash(node, token);; ++i) {
            const NgramTable::Slot &slot = ngrams.slots[i & ngrams.mask];
            if (slot.node == node && slot.token == token) return slot.next;
            if (slot.node < 0) return -1;
        }
    }

    const Part &part_;
    const int32_t *id_, *end_;
};

void fill_identity(int d, float *out) {
    std::memset(out, 0, sizeof(float) * d * d);
    for (int i = 0; i < d; ++i) out[i * (d + 1)] = 1;
}

// If a matrix has strayed far from 1, scales it by the power of two that puts its largest number
// into [1, 2), which is exact; returns the exponent taken out.
int64_t rescale(float *matrix, int d) {
    const int ld = leading_dimension(d);
    uint32_t largest = 0;  // magnitudes of floats are ordered as their bits are
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
            const uint32_t magnitude = to_bits(matrix[i * ld + j]) & 0x7fffffffu;
            largest = magnitude > largest ? magnitude : largest;
        }
    if (largest == 0) return 0;
    int exponent = static_cast<int>(largest >> 23) - 127;
    if (-FAR < exponent && exponent < FAR) return 0;
    exponent = exponent < -126 ? -126 : exponent > 126 ? 126 : exponent;
    const float factor = from_bits(static_cast<uint32_t>(127 - exponent) << 23);
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) matrix[i * ld + j] *= factor;
    return exponent;
}

// Leaves the product's mantissa in `out` and returns its exponent.
int64_t compose_product(const Part &part, const int32_t *ids, int64_t length, float *out,
                        float *scratch) {
    const int d = part.matrix_size;
    const int size = d * leading_dimension(d);
    Nodes nodes(part, ids, length);
    int64_t node = nodes.next();
    if (node < 0) {
        fill_identity(d, out);
        return 0;
    }
    float *product = scratch, *result = scratch + size, *buffer = scratch + 2 * size;
    int64_t next = nodes.next();
    fill_padded(nodes.row(node, buffer), d, product);
    int64_t exponent = 0;
    for (int since_rescale = 1; (node = next) >= 0; ++since_rescale) {
        next = nodes.next();
        multiply({nodes.row(node, buffer), d, 1}, product, result, d, nodes.memory(next));
        float *spare = product;
        product = result;
        result = spare;
        if (since_rescale == part.rescale_every) {
            exponent += rescale(product, d);
            since_rescale = 0;
        }
    }
    strip_padding(product, d, out);
    return exponent;
}

// ---- the whole embedding ------------------------------------------------------------------------

Scaled norm_of(const float *x, int size, int64_t exponent) {
    double sums[8] = {};  // independent sums, so that the additions need not wait for each other
    for (int i = 0; i < size; ++i) sums[i % 8] += static_cast<double>(x[i]) * x[i];
    double sum = 0;
    for (double each : sums) sum += each;
    return {__builtin_sqrt(sum), exponent};
}

void scale(float *x, int size, double factor) {
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

void normalize_parts(const Part *parts, int count, const int64_t *exponents, Normalize normalize,
                     float *embedding) {
    Scaled norms[MOST_PARTS];
    float *x = embedding;
    for (int p = 0; p < count; x += parts[p++].table.width)
        norms[p] = norm_of(x, parts[p].table.width, exponents[p]);
    const Scaled joint = joint_norm(norms, count);
    x = embedding;
    for (int p = 0; p < count; x += parts[p++].table.width) {
        const Scaled norm = normalize == Normalize::all ? joint : norms[p];
        if (norm.mantissa > 0)
            scale(x, parts[p].table.width,
                  power_of_two(exponents[p] - norm.exponent) / norm.mantissa);
    }
}

}  // namespace

int64_t compose(const Part *parts, int count, Sequences sequences, int64_t begin, int64_t end,
                Normalize normalize, float *out, int dim, float *scratch) {
    int64_t saturated = 0;
    int64_t exponents[MOST_PARTS];
    for (int64_t s = begin; s < end; ++s) {
        const int32_t *ids = sequences.ids + sequences.offsets[s];
        const int64_t length = sequences.offsets[s + 1] - sequences.offsets[s];
        float *const embedding = out + s * dim;
        float *x = embedding;
        bool too_large = false;
        for (int p = 0; p < count; x += parts[p++].table.width) {
            exponents[p] = 0;
            if (parts[p].composition == Composition::sum)
                compose_sum(parts[p], ids, length, x, scratch);
            else
                exponents[p] = compose_product(parts[p], ids, length, x, scratch);
            if (normalize == Normalize::none)
                too_large |= scale_saturating(x, parts[p].table.width, exponents[p]);
        }
        if (normalize != Normalize::none)
            normalize_parts(parts, count, exponents, normalize, embedding);
        saturated += too_large;
    }
    return saturated;
}

size_t compose_scratch(const Part *parts, int count) {
    size_t most = 0;
    for (int p = 0; p < count; ++p) {
        const int d = parts[p].matrix_size;
        const size_t need = parts[p].composition == Composition::sum
                                ? static_cast<size_t>(SUM_ROWS) * parts[p].table.width
                                : static_cast<size_t>(2 * leading_dimension(d) + d) * d;
        most = need > most ? need : most;
    }
    return most;
}

}  // namespace cmow::CMOW_LEVEL

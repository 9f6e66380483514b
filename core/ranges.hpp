// Products of ranges of a sentence's words, shared between its overlapping training windows, and
// their gradients.
//
// Every product is a node with two shorter ranges as children, halves where the length is a power
// of two: windows that overlap then meet in the same nodes. A node costs one multiplication forward
// and two backward, so what counts is that nodes are few.
#pragma once

#include "matmul.hpp"
#include "parts/part.hpp"

namespace cmow::CMOW_LEVEL {

// :param Kind: of part, that lifts a row to a matrix
template <class Kind>
class RangeProducts {
  public:
    // Floats of memory for a sentence: values, transposes and gradients of all nodes that its
    // windows can ask for, and the index.
    static size_t memory(int d, int64_t length, int64_t windows, int longest) {
        const size_t nodes = most_nodes(length, windows, longest);
        return nodes * (3 * padded_size(d) + sizeof(Node) / sizeof(float)) +
               static_cast<size_t>(length) * (longest + 1);
    }

    RangeProducts(const TrainedPart &part, const int32_t *ids, int64_t length, int64_t windows,
                  int longest, float *memory)
        : part_(part), ids_(ids), d_(part.form.size), size_(padded_size(d_)), longest_(longest) {
        const size_t nodes = most_nodes(length, windows, longest);
        values_ = memory;
        transposes_ = values_ + nodes * size_;
        gradients_ = transposes_ + nodes * size_;
        nodes_ = reinterpret_cast<Node *>(gradients_ + nodes * size_);
        index_ = reinterpret_cast<int32_t *>(nodes_ + nodes);
        index_size_ = length * (longest + 1);
    }

    // Must be called before all others, once the ids are there.
    void start() { std::memset(index_, -1, sizeof(int32_t) * index_size_); }

    // The product of the words begin..end, which must not be empty.
    int32_t range(int32_t begin, int32_t end) {
        int32_t &known = index_[static_cast<int64_t>(begin) * (longest_ + 1) + end - begin];
        if (known >= 0) return known;
        if (end - begin == 1) return known = leaf(begin);
        int32_t half = 1;
        while (half * 2 < end - begin) half *= 2;
        const int32_t left = range(begin, begin + half), right = range(begin + half, end);
        return known = join(left, right);
    }

    // The product of two neighboring ranges; asked for once, so it is not looked up.
    int32_t join(int32_t left, int32_t right) {
        nodes_[count_] = {value_of(count_), left, right, -1, false, false};
        // Matrices are stored transposed, so the order turns round.
        multiply({value(right), leading_dimension(d_), 1}, value(left), value_of(count_), d_);
        return count_++;
    }

    const float *value(int32_t node) const { return nodes_[node].value; }

    void add_gradient(int32_t node, const float *row) {
        float *gradient = gradient_of(node);
        if (!nodes_[node].has_gradient) {
            fill_padded(row, d_, gradient);
        } else {
            const int ld = leading_dimension(d_);
            for (int i = 0; i < d_; ++i)
                for (int j = 0; j < d_; ++j) gradient[i * ld + j] += row[i * d_ + j];
        }
        nodes_[node].has_gradient = true;
    }

    // Passes the gradients down; calls words(position, gradient) for every word that has one.
    template <class Words>
    void backward(const Words &words) {
        const int ld = leading_dimension(d_);
        for (int32_t node = count_ - 1; node >= 0; --node) {
            const Node &here = nodes_[node];
            if (!here.has_gradient) continue;
            float *gradient = gradient_of(node);
            if (here.position >= 0) {
                words(here.position, gradient);
                continue;
            }
            pass({value(here.right), 1, ld}, gradient, here.left);
            pass({gradient, ld, 1}, transposed(here.left), here.right);
        }
    }

  private:
    struct Node {
        const float *value;
        int32_t left, right;
        int32_t position;  // of a leaf's word; -1 for a product
        bool has_gradient, has_transpose;
    };

    // The words, and for every window at most one product less than it has words.
    static size_t most_nodes(int64_t length, int64_t windows, int longest) {
        const int64_t products = windows * longest;
        return static_cast<size_t>((length < products ? length : products) + products);
    }

    float *value_of(int32_t node) { return values_ + static_cast<size_t>(node) * size_; }
    float *gradient_of(int32_t node) { return gradients_ + static_cast<size_t>(node) * size_; }

    int32_t leaf(int32_t position) {
        const float *row = row_of(part_, ids_[position]), *value = value_of(count_);
        // There is no gradient yet: its memory may hold what is lifted.
        const float *matrix = Kind::lift(part_.form, row, gradient_of(count_));
        if (matrix == row && leading_dimension(d_) == d_)
            value = row;  // as it is stored: there is no padding
        else
            fill_padded(matrix, d_, value_of(count_));
        nodes_[count_] = {value, -1, -1, position, false, false};
        return count_++;
    }

    const float *transposed(int32_t node) {
        float *transpose_ = transposes_ + static_cast<size_t>(node) * size_;
        if (!nodes_[node].has_transpose) transpose(value(node), transpose_, d_);
        nodes_[node].has_transpose = true;
        return transpose_;
    }

    void pass(Strided a, const float *b, int32_t child) {
        if (nodes_[child].has_gradient)
            multiply<Into::add>(a, b, gradient_of(child), d_);
        else
            multiply(a, b, gradient_of(child), d_);
        nodes_[child].has_gradient = true;
    }

    TrainedPart part_;
    const int32_t *ids_;
    int d_, size_, longest_;
    float *values_, *transposes_, *gradients_;
    Node *nodes_;
    int32_t *index_;
    int64_t index_size_;
    int32_t count_ = 0;
};

}  // namespace cmow::CMOW_LEVEL

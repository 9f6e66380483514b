// One sentence of a training update: contexts, scores, loss, and the gradients of everything read.
#include "level.hpp"
#include "matmul.hpp"
#include "ranges.hpp"
#include "scores.hpp"
#include "sums.hpp"

namespace cmow::CMOW_LEVEL {

namespace {

// Hands out pieces of the scratch memory, each on a cache line of its own.
class Arena {
  public:
    explicit Arena(float *memory) : memory_(memory) {}

    template <class T>
    T *take(size_t count) {
        T *piece = reinterpret_cast<T *>(memory_ + used_);
        used_ += (count * sizeof(T) + 63) / 64 * 64 / sizeof(float);
        return piece;
    }

    size_t used() const { return used_; }

  private:
    float *memory_;
    size_t used_ = 0;
};

struct Workspace {
    Workspace(const Model &model, const SentenceStep &step, float *memory) : arena(memory) {
        context_gradients = arena.take<float>(static_cast<size_t>(step.window_count) * model.dim);
        from = arena.take<const float *>(step.window_count + step.negative_count +
                                         model.longest_context);
        to = arena.take<float *>(step.window_count + step.negative_count);
    }

    Arena arena;
    float *context_gradients;
    const float **from;  // rows to read
    float **to;          // rows to write
};

// ---- sum ----------------------------------------------------------------------------------------

void sum_forward(const TrainedPart &part, const SentenceStep &step, int dim, float *contexts,
                 const float **rows) {
    for (int w = 0; w < step.window_count; ++w, contexts += dim) {
        const Window &window = step.windows[w];
        int count = 0;
        for (int32_t i = window.low; i < window.high; ++i)
            if (i != window.target)
                rows[count++] = part.table + static_cast<int64_t>(step.ids[i]) * part.width;
        sum_rows(rows, count, part.width, contexts);
    }
}

// A word's gradient is the sum over the windows that it stands in; they lie side by side.
void sum_backward(const TrainedPart &part, const SentenceStep &step, int dim,
                  const float *context_gradients, float *word_gradients, const float **rows) {
    int begin = 0, end = 0;
    for (int32_t i = step.first; i < step.first + step.length; ++i) {
        while (end < step.window_count && step.windows[end].low <= i) ++end;
        while (begin < end && step.windows[begin].high <= i) ++begin;
        if (step.word_rows[i] < 0) continue;
        int count = 0;
        for (int w = begin; w < end; ++w)
            if (step.windows[w].target != i)
                rows[count++] = context_gradients + static_cast<int64_t>(w) * dim;
        sum_rows(rows, count, part.width,
                 word_gradients + static_cast<int64_t>(step.word_rows[i]) * dim);
    }
}

// ---- product ------------------------------------------------------------------------------------

size_t products_memory(const Model &model, const TrainedPart &part, const SentenceStep &step) {
    return RangeProducts::memory(part.matrix_size, step.length, step.window_count,
                                 model.longest_context);
}

void product_forward(const TrainedPart &part, const SentenceStep &step, int dim, float *contexts,
                     RangeProducts &products, int32_t *roots) {
    for (int w = 0; w < step.window_count; ++w, contexts += dim) {
        const Window &window = step.windows[w];
        const int32_t low = window.low - step.first, target = window.target - step.first,
                      high = window.high - step.first;
        if (low == target)
            roots[w] = products.range(target + 1, high);
        else if (target + 1 == high)
            roots[w] = products.range(low, target);
        else
            roots[w] = products.join(products.range(low, target), products.range(target + 1, high));
        strip_padding(products.value(roots[w]), part.matrix_size, contexts);
    }
}

void product_backward(const TrainedPart &part, const SentenceStep &step, int dim,
                      const float *context_gradients, float *word_gradients,
                      RangeProducts &products, const int32_t *roots) {
    for (int w = 0; w < step.window_count; ++w)
        products.add_gradient(roots[w], context_gradients + static_cast<int64_t>(w) * dim);
    products.backward([&](int32_t position, const float *gradient) {
        const int64_t row = step.word_rows[step.first + position];
        strip_padding(gradient, part.matrix_size, word_gradients + row * dim);
    });
}

// ---- the logistic regression --------------------------------------------------------------------

// log(1 + exp(x)), and its derivative, the sigmoid.
float softplus(float x, float &derivative) {
    const float e = __builtin_expf(x > 0 ? -x : x);
    derivative = (x > 0 ? 1 : e) / (1 + e);
    return (x > 0 ? x : 0) + __builtin_log1pf(e);
}

// Scores become derivatives in place; returns the loss.
double loss_of(float *scores, int count, float sign, float weight, float scale) {
    double loss = 0;
    for (int i = 0; i < count; ++i) {
        float derivative;
        loss += softplus(sign * scores[i], derivative);
        scores[i] = sign * weight * scale * derivative;
    }
    return weight * loss;
}

const float *output_row(const Model &model, int32_t id) {
    return model.output + static_cast<int64_t>(id) * model.dim;
}

// Context row w, and the noise words' rows, as `dots` and `combine` want them.
struct Group {
    int first_window, windows;
    const int32_t *negatives;
};

double score_group(const Model &model, const SentenceStep &step, const Group &group,
                   Workspace &work) {
    const int dim = model.dim, k = step.negative_count;
    const float **contexts = work.from, **noise = work.from + group.windows;
    float *weights = step.negative_weights + static_cast<int64_t>(group.first_window) * k;
    for (int w = 0; w < group.windows; ++w) {
        contexts[w] = step.contexts + static_cast<int64_t>(group.first_window + w) * dim;
        work.to[w] = work.context_gradients + static_cast<int64_t>(group.first_window + w) * dim;
    }
    for (int i = 0; i < k; ++i) noise[i] = output_row(model, group.negatives[i]);
    dots(contexts, group.windows, noise, k, dim, weights);
    const double loss =
        loss_of(weights, group.windows * k, 1, model.negative_weight, step.gradient_scale);
    if (!step.want_gradients) return loss;
    combine({weights, k, 1}, noise, k, dim, work.to, group.windows);
    if (step.shared_negatives) {
        std::memset(step.negative_gradients, 0, sizeof(float) * k * dim);
        for (int i = 0; i < k; ++i) work.to[i] = step.negative_gradients + i * dim;
        combine({weights, 1, k}, contexts, group.windows, dim, work.to, k);
    }
    return loss;
}

double score_targets(const Model &model, const SentenceStep &step, Workspace &work) {
    const int dim = model.dim;
    double loss = 0;
    for (int w = 0; w < step.window_count; ++w) {
        const float *context = step.contexts + static_cast<int64_t>(w) * dim;
        const float *target = output_row(model, step.ids[step.windows[w].target]);
        float *weight = step.target_weights + w;
        dots(&context, 1, &target, 1, dim, weight);
        loss += loss_of(weight, 1, -1, 1, step.gradient_scale);
        if (!step.want_gradients) continue;
        float *gradient = work.context_gradients + static_cast<int64_t>(w) * dim;
        for (int i = 0; i < dim; ++i) gradient[i] = *weight * target[i];
    }
    return loss;
}

double score(const Model &model, const SentenceStep &step, Workspace &work) {
    double loss = score_targets(model, step, work);
    if (step.shared_negatives)
        return loss + score_group(model, step, {0, step.window_count, step.negatives}, work);
    for (int w = 0; w < step.window_count; ++w)
        loss += score_group(model, step,
                            {w, 1, step.negatives + static_cast<int64_t>(w) * step.negative_count},
                            work);
    return loss;
}

// Contexts of part p and those behind it, then the scores, then the gradients on the way back.
double run_parts(const Model &model, const SentenceStep &step, int p, int offset, Workspace &work) {
    if (p == model.part_count) return score(model, step, work);
    const TrainedPart &part = model.parts[p];
    const int dim = model.dim;
    float *contexts = step.contexts + offset;
    const float *context_gradients = work.context_gradients + offset;
    float *word_gradients = step.word_gradients + offset;
    const auto rest = [&] { return run_parts(model, step, p + 1, offset + part.width, work); };

    if (part.composition == Composition::sum) {
        sum_forward(part, step, dim, contexts, work.from);
        const double loss = rest();
        if (step.want_gradients)
            sum_backward(part, step, dim, context_gradients, word_gradients, work.from);
        return loss;
    }
    int32_t *roots = work.arena.take<int32_t>(step.window_count);
    RangeProducts products(part.table, part.matrix_size, step.ids + step.first, step.length,
                           step.window_count, model.longest_context,
                           work.arena.take<float>(products_memory(model, part, step)));
    product_forward(part, step, dim, contexts, products, roots);
    const double loss = rest();
    if (step.want_gradients)
        product_backward(part, step, dim, context_gradients, word_gradients, products, roots);
    return loss;
}

}  // namespace

size_t step_scratch(const Model &model, const SentenceStep &step) {
    Workspace work(model, step, nullptr);
    for (int p = 0; p < model.part_count; ++p) {
        if (model.parts[p].composition != Composition::product) continue;
        work.arena.take<int32_t>(step.window_count);
        work.arena.take<float>(products_memory(model, model.parts[p], step));
    }
    return work.arena.used();
}

double step(const Model &model, const SentenceStep &step, float *scratch) {
    Workspace work(model, step, scratch);
    return run_parts(model, step, 0, 0, work);
}

}  // namespace cmow::CMOW_LEVEL

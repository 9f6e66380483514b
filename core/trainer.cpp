#include "trainer.hpp"

#include <algorithm>
#include <cmath>

#include "levels.hpp"
#include "parallel.hpp"

namespace cmow {

namespace {

constexpr int64_t SENTENCES = 8;  // a thread takes at a time
constexpr int64_t ROWS = 64;

int longest_context(const Batch &batch) {
    int32_t longest = 1;
    for (const Window &window : batch.windows)
        longest = std::max(longest, window.high - window.low - 1);
    return longest;
}

}  // namespace

Trainer::Trainer(std::vector<TrainedPart> parts, std::vector<Trained> tables, Trained output,
                 int64_t vocabulary, TrainerSettings settings)
    : parts_(std::move(parts)), tables_(std::move(tables)), output_(output),
      vocabulary_(vocabulary), settings_(settings) {
    for (const TrainedPart &part : parts_) dim_ += part.width;
}

Contributions Trainer::Ledger::of(int64_t row) const {
    return {rows.data() + first[row], weights.data() + first[row], first[row + 1] - first[row]};
}

// Gives a gradient row to every word that stands in some window's context.
void Trainer::place_words(const Batch &batch) {
    word_rows_.assign(batch.ids.size(), -1);
    for (const Window &window : batch.windows)
        for (int32_t i = window.low; i < window.high; ++i)
            if (i != window.target) word_rows_[i] = 0;
    word_row_count_ = 0;
    for (int32_t &row : word_rows_)
        if (row == 0) row = static_cast<int32_t>(word_row_count_++);
}

double Trainer::run(const Batch &batch, int threads, bool want_gradients) {
    const int64_t windows = static_cast<int64_t>(batch.windows.size());
    if (windows == 0) return 0;
    const int64_t k = batch.negatives_a_row;
    if (want_gradients) place_words(batch);
    float *contexts = contexts_.floats(windows * dim_);
    float *word_gradients = want_gradients ? word_gradients_.floats(word_row_count_ * dim_) : nullptr;
    float *negative_gradients = want_gradients && batch.shared_negatives
                                    ? negative_gradients_.floats(batch.sentences() * k * dim_)
                                    : nullptr;
    target_weights_.resize(windows);
    negative_weights_.resize(windows * k);
    losses_.assign(batch.sentences(), 0);
    scratch_.resize(std::max<size_t>(scratch_.size(), std::max(threads, 1)));

    const Kernels &level = kernels();
    const Model model{parts_.data(),
                      static_cast<int>(parts_.size()),
                      dim_,
                      output_.rows,
                      settings_.mean_negatives ? 1.0f / static_cast<float>(k) : 1.0f,
                      longest_context(batch)};
    parallel_for(batch.sentences(), SENTENCES, threads, [&](int worker, int64_t begin, int64_t end) {
        for (int64_t s = begin; s < end; ++s) {
            const int64_t first = batch.first_window[s], count = batch.first_window[s + 1] - first;
            if (count == 0) continue;
            const SentenceStep step{
                batch.ids.data(),
                static_cast<int32_t>(batch.first_id[s]),
                static_cast<int32_t>(batch.first_id[s + 1] - batch.first_id[s]),
                batch.windows.data() + first,
                static_cast<int>(count),
                batch.negatives.data() + (batch.shared_negatives ? s : first) * k,
                static_cast<int>(k),
                batch.shared_negatives,
                1.0f / static_cast<float>(windows),
                want_gradients,
                contexts + first * dim_,
                target_weights_.data() + first,
                negative_weights_.data() + first * k,
                negative_gradients ? negative_gradients + s * k * dim_ : nullptr,
                word_rows_.data(),
                word_gradients,
            };
            float *memory = scratch_[worker].floats(level.step_scratch(model, step));
            losses_[s] = level.step(model, step, memory);
        }
    });
    double loss = 0;
    for (double each : losses_) loss += each;
    return loss;
}

Trainer::Ledger Trainer::sort(const std::vector<Entry> &entries) const {
    Ledger ledger{
        std::vector<int64_t>(vocabulary_ + 1),
        std::vector<const float *>(entries.size() + Contributions::MORE, entries.front().row),
        std::vector<float>(entries.size())};
    for (const Entry &entry : entries) ++ledger.first[entry.word + 1];
    for (int64_t row = 0; row < vocabulary_; ++row) ledger.first[row + 1] += ledger.first[row];
    std::vector<int64_t> next(ledger.first.begin(), ledger.first.end() - 1);
    for (const Entry &entry : entries) {
        const int64_t at = next[entry.word]++;
        ledger.rows[at] = entry.row;
        ledger.weights[at] = entry.weight;
    }
    return ledger;
}

// Which gradient rows belong to which row of the tables.
void Trainer::collect(const Batch &batch) {
    const float *contexts = contexts_.floats(0), *words = word_gradients_.floats(0),
                *negatives = negative_gradients_.floats(0);
    std::vector<Entry> entries;
    for (size_t i = 0; i < batch.ids.size(); ++i)
        if (word_rows_[i] >= 0)
            entries.push_back({batch.ids[i], words + static_cast<int64_t>(word_rows_[i]) * dim_, 1});
    words_ = sort(entries);

    entries.clear();
    const int k = batch.negatives_a_row;
    for (int64_t w = 0; w < static_cast<int64_t>(batch.windows.size()); ++w) {
        const float *context = contexts + w * dim_;
        entries.push_back({batch.ids[batch.windows[w].target], context, target_weights_[w]});
        if (!batch.shared_negatives)
            for (int i = 0; i < k; ++i)
                entries.push_back({batch.negatives[w * k + i], context, negative_weights_[w * k + i]});
    }
    if (batch.shared_negatives)
        for (int64_t s = 0; s < batch.sentences(); ++s)
            for (int i = 0; i < k && batch.first_window[s] < batch.first_window[s + 1]; ++i)
                entries.push_back({batch.negatives[s * k + i], negatives + (s * k + i) * dim_, 1});
    outputs_ = sort(entries);
}

// Calls apply(row, gradient) for every row; the gradient is null where nothing contributes.
template <class Apply>
void Trainer::for_rows(const Ledger &ledger, int threads, const Apply &apply) {
    const Kernels &level = kernels();
    parallel_for(vocabulary_, ROWS, threads, [&](int worker, int64_t begin, int64_t end) {
        float *gradient = scratch_[worker].floats(dim_);
        for (int64_t row = begin; row < end; ++row) {
            const Contributions contributions = ledger.of(row);
            if (contributions.count > 0)
                level.sum_contributions(contributions, dim_, gradient);
            apply(row, contributions.count > 0 ? gradient : nullptr);
        }
    });
}

double Trainer::step(const Batch &batch, int64_t adam_step, double learning_rate, int threads) {
    const double loss = run(batch, threads, true);
    if (batch.windows.empty()) return loss;
    collect(batch);
    const double correction = std::sqrt(1 - std::pow(double{settings_.beta2}, adam_step));
    // PyTorch's optimisers add epsilon after the correction (Adam) and before it (SparseAdam).
    AdamStep adam{
        settings_.beta1, settings_.beta2,
        static_cast<float>(settings_.lazy ? settings_.epsilon / correction : settings_.epsilon),
        0, static_cast<float>(correction)};
    std::vector<AdamStep> steps;
    std::vector<int64_t> columns{0};  // of the parts in the output table
    for (const TrainedPart &part : parts_) {
        const double times = part.composition == Composition::product ? settings_.product_rate : 1;
        adam.rate = static_cast<float>(times * learning_rate /
                                       (1 - std::pow(double{settings_.beta1}, adam_step)));
        steps.push_back(adam);
        columns.push_back(columns.back() + part.width);
    }
    const Kernels &level = kernels();
    // Every part's numbers of a row, which are at place(part).
    const auto update = [&](const float *gradient, const auto &place) {
        if (!gradient && settings_.lazy) return;
        for (size_t p = 0; p < parts_.size(); ++p) {
            const auto [row, first, second] = place(p);
            level.adam(steps[p], gradient ? gradient + columns[p] : nullptr, parts_[p].width, row,
                       first, second);
        }
    };
    for_rows(words_, threads, [&](int64_t row, const float *gradient) {
        update(gradient, [&](size_t p) { return tables_[p].at(row * parts_[p].width); });
    });
    for_rows(outputs_, threads, [&](int64_t row, const float *gradient) {
        update(gradient, [&](size_t p) { return output_.at(row * dim_ + columns[p]); });
    });
    return loss;
}

double Trainer::loss(const Batch &batch, int threads) { return run(batch, threads, false); }

double Trainer::gradients(const Batch &batch, int threads, const std::vector<float *> &out) {
    const double loss = run(batch, threads, true);
    if (batch.windows.empty()) return loss;
    collect(batch);
    for_rows(words_, threads, [&](int64_t row, const float *gradient) {
        if (!gradient) return;
        for (size_t p = 0; p < parts_.size(); ++p) {
            const int width = parts_[p].width;
            std::copy(gradient, gradient + width, out[p] + row * width);
            gradient += width;
        }
    });
    for_rows(outputs_, threads, [&](int64_t row, const float *gradient) {
        if (gradient) std::copy(gradient, gradient + dim_, out.back() + row * dim_);
    });
    return loss;
}

}  // namespace cmow

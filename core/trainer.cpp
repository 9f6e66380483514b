#include "trainer.hpp"

#include <algorithm>

namespace cmow {

namespace {

constexpr int64_t SENTENCES = 8;     // a thread takes at a time
constexpr int64_t NUMBERS = 131072;  // of rows to be composed, for which a thread is started

int longest_context(const Batch &batch) {
    int32_t longest = 1;
    for (const Window &window : batch.windows) longest = std::max(longest, words_of(window));
    return longest;
}

}  // namespace

void Trainer::add_part(const TrainedPart &part, const Trained &table, double rate) {
    parts_.push_back(part);
    tables_.push_back(table);
    rows_.push_back({part.widths.row, rate});
    views_.push_back({part.widths.view, rate});
    row_dim_ += part.widths.row;
    dim_ += part.widths.view;
}

std::vector<Trained> Trainer::tables() const {
    std::vector<Trained> all = tables_;
    for (const ObjectiveTable &own : objective_->tables()) all.push_back(own.table);
    return all;
}

std::string Trainer::fault(const Batch &batch) const {
    if (tables_.empty()) return "an encoder needs a part";
    for (const Trained &table : tables_)
        for (int32_t id : batch.ids)
            if (static_cast<uint32_t>(id) >= static_cast<uint64_t>(table.count))
                return "the batch has words that the tables lack";
    for (const auto &[table, follows_parts] : objective_->tables())
        if (follows_parts && table.width != dim_)
            return "the objective's table must be as wide as the parts together";
    return objective_->fault(batch);
}

Model Trainer::model() const {
    return {.parts = parts_.data(),
            .part_count = static_cast<int>(parts_.size()),
            .dim = dim_,
            .row_dim = row_dim_};
}

// Gives a row of gradients to every word that stands in some window.
void Trainer::place_words(const Batch &batch) {
    word_rows_.assign(batch.ids.size(), -1);
    for (const Window &window : batch.windows)
        for (int32_t i = window.low; i < window.high; ++i)
            if (i != window.target) word_rows_[i] = 0;
    word_row_count_ = 0;
    for (int32_t &row : word_rows_)
        if (row == 0) row = static_cast<int32_t>(word_row_count_++);
}

// To start a thread takes as long as to learn from some short texts.
int Trainer::worthwhile(const Batch &batch, int threads) const {
    int64_t words = 0;
    for (const Window &window : batch.windows) words += words_of(window);
    return static_cast<int>(
        std::clamp<int64_t>(words * row_dim_ / NUMBERS, 1, std::max(threads, 1)));
}

// The rows of a sentence's words, which lie anywhere in the tables.
void Trainer::fetch_rows(const Batch &batch, int64_t sentence) const {
    for (int64_t i = batch.first_id[sentence]; i < batch.first_id[sentence + 1]; ++i)
        for (const Trained &table : tables_)
            fetch(table.rows + static_cast<int64_t>(batch.ids[i]) * table.width, table.width);
}

double Trainer::run(const Batch &batch, int threads, bool want_gradients) {
    const int64_t windows = static_cast<int64_t>(batch.windows.size());
    if (windows == 0) return 0;
    if (want_gradients) place_words(batch);
    float *embeddings = embeddings_.floats(windows * dim_);
    float *word_gradients =
        want_gradients ? word_gradients_.floats(word_row_count_ * row_dim_) : nullptr;
    losses_.assign(batch.sentences(), 0);
    workspaces_.resize(std::max<size_t>(workspaces_.size(), std::max(threads, 1)));
    objective_->begin(batch, dim_, want_gradients);

    const Kernels &level = kernels();
    const Model model = this->model();
    const int longest = longest_context(batch);
    parallel_for(
        batch.sentences(), SENTENCES, threads, [&](int worker, int64_t begin, int64_t end) {
            Workspace &work = workspaces_[worker];
            for (int64_t s = begin; s < end; ++s) {
                const int64_t first = batch.first_window[s],
                              count = batch.first_window[s + 1] - first;
                if (s + 1 < end) fetch_rows(batch, s + 1);
                if (count == 0) continue;
                const Sentence sentence{
                    .ids = batch.ids.data(),
                    .first = static_cast<int32_t>(batch.first_id[s]),
                    .length = static_cast<int32_t>(batch.first_id[s + 1] - batch.first_id[s]),
                    .windows = batch.windows.data() + first,
                    .window_count = static_cast<int>(count),
                    .longest_context = longest,
                    .word_rows = word_rows_.data(),
                };
                float *memory = work.parts.floats(level.train_memory(model, sentence));
                const Embedded embedded{
                    .sentence = s,
                    .first = first,
                    .count = count,
                    .dim = dim_,
                    .embeddings = embeddings + first * dim_,
                    .gradients = want_gradients ? work.gradients.floats(count * dim_) : nullptr,
                    .scale = 1.0f / static_cast<float>(windows),
                };
                level.forward(model, sentence, embeddings + first * dim_, memory);
                losses_[s] = objective_->score(batch, embedded, work.objective);
                if (want_gradients)
                    level.backward(model, sentence, embedded.gradients, word_gradients, memory);
            }
        });
    double loss = 0;
    for (double each : losses_) loss += each;
    return loss;
}

GradientRows Trainer::word_gradients(const Batch &batch) {
    const float *gradients = word_gradients_.floats(0);
    std::vector<Contribution> found;
    found.reserve(word_row_count_);
    for (size_t i = 0; i < batch.ids.size(); ++i)
        if (word_rows_[i] >= 0)
            found.push_back(
                {batch.ids[i], gradients + static_cast<int64_t>(word_rows_[i]) * row_dim_, 1});
    return {found, tables_.front().count};
}

double Trainer::step(const Batch &batch, int64_t update, double learning_rate, int threads) {
    const int few = worthwhile(batch, threads);
    const double loss = run(batch, few, true);
    if (batch.windows.empty()) return loss;
    if (settings_.lazy) threads = few;
    std::vector<Adam> adams;
    for (const Columns &row : rows_)
        adams.emplace_back(settings_, update, learning_rate, std::vector{row});
    const auto take_step = [&](int64_t row, const float *gradient) {
        for (size_t p = 0; p < parts_.size(); ++p) {
            adams[p](tables_[p], row, gradient);
            if (gradient) gradient += rows_[p].width;
        }
    };
    const auto fetch_tables = [&](int64_t row) __attribute__((always_inline)) {
        for (const Trained &table : tables_) table.fetch_row(row);
    };
    const GradientRows gradients = word_gradients(batch);
    if (settings_.lazy)
        gradients.for_each_touched(row_dim_, threads, fetch_tables, take_step);
    else
        gradients.for_each(row_dim_, threads, take_step);
    const std::vector<ObjectiveTable> own = objective_->tables();
    adams.clear();
    for (const auto &[table, follows_parts] : own)
        adams.emplace_back(settings_, update, learning_rate,
                           follows_parts ? views_ : std::vector<Columns>{{table.width, 1}});
    objective_->for_each_gradient(batch, embeddings_.floats(0), dim_, threads,
                                  [&](size_t table, int64_t row, const float *gradient) {
                                      adams[table](own[table].table, row, gradient);
                                  });
    return loss;
}

double Trainer::loss(const Batch &batch, int threads) {
    return run(batch, worthwhile(batch, threads), false);
}

double Trainer::gradients(const Batch &batch, int threads, const std::vector<float *> &out) {
    const double loss = run(batch, threads, true);
    if (batch.windows.empty()) return loss;
    const auto copy_row = [&](int64_t row, const float *gradient) {
        for (size_t p = 0; p < parts_.size(); ++p) {
            const int width = rows_[p].width;
            std::copy_n(gradient, width, out[p] + row * width);
            gradient += width;
        }
    };
    word_gradients(batch).for_each_touched(row_dim_, threads, [](int64_t) {}, copy_row);
    const std::vector<ObjectiveTable> own = objective_->tables();
    objective_->for_each_gradient(batch, embeddings_.floats(0), dim_, threads,
                                  [&](size_t table, int64_t row, const float *gradient) {
                                      const int width = own[table].table.width;
                                      if (gradient)
                                          std::copy_n(gradient, width,
                                                      out[parts_.size() + table] + row * width);
                                  });
    return loss;
}

}  // namespace cmow

// Several objectives of the same parts, which take turns: a batch is scored by the one it is for.
#pragma once

#include <memory>
#include <utility>

#include "objective.hpp"

namespace cmow {

class JointObjective : public Objective {
  public:
    struct Weighted {
        std::shared_ptr<Objective> objective;
        float weight;  // of its loss
    };

    explicit JointObjective(std::vector<Weighted> all) : all_(std::move(all)) {}

    std::vector<ObjectiveTable> tables() const override {
        std::vector<ObjectiveTable> tables;
        for (const Weighted &each : all_)
            for (const ObjectiveTable &table : each.objective->tables()) tables.push_back(table);
        return tables;
    }

    std::string fault(const Batch &batch) const override {
        std::string first;
        for (const Weighted &each : all_) {
            const std::string fault = each.objective->fault(batch);
            if (fault.empty()) return "";
            if (first.empty()) first = fault;
        }
        return first;
    }

    void begin(const Batch &batch, int dim, bool want_gradients) override {
        first_table_ = 0;
        for (const Weighted &each : all_) {
            now_ = &each;
            if (each.objective->fault(batch).empty()) break;
            first_table_ += each.objective->tables().size();
        }
        now_->objective->begin(batch, dim, want_gradients);
    }

    double score(const Batch &batch, const Embedded &sentence, Scratch &memory) override {
        Embedded weighted = sentence;
        weighted.scale *= now_->weight;
        return now_->weight * now_->objective->score(batch, weighted, memory);
    }

    void for_each_gradient(const Batch &batch, const float *embeddings, int dim, int threads,
                           const Apply &apply) override {
        const auto apply_own = [&](size_t table, int64_t row, const float *gradient) {
            apply(first_table_ + table, row, gradient);
        };
        now_->objective->for_each_gradient(batch, embeddings, dim, threads, apply_own);
    }

  private:
    std::vector<Weighted> all_;
    const Weighted *now_ = nullptr;  // the one that the batch is for
    size_t first_table_ = 0;         // of its tables among all
};

}  // namespace cmow

// Gradients of a table's rows, from contributions that lie anywhere in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "levels.hpp"
#include "parallel.hpp"
#include "scratch.hpp"

namespace cmow {

struct Contribution {
    int32_t table_row;
    const float *row;
    float weight;
};

// Contributions sorted by the table's row and, within one, in the order in which they came:
// whatever the number of threads, each row sums up the same numbers in the same order.
class GradientRows {
  public:
    GradientRows() = default;
    GradientRows(const std::vector<Contribution> &contributions, int64_t table_rows)
        : table_rows_(table_rows), weights_(contributions.size()) {
        if (contributions.empty()) return;
        rows_.assign(contributions.size() + Contributions::MORE, contributions.front().row);
        if (static_cast<int64_t>(contributions.size()) < table_rows / MANY)
            sort(contributions);
        else
            count(contributions);
        first_.push_back(static_cast<int64_t>(contributions.size()));
    }

    // Calls apply(row, gradient) for every row; the gradient is null where nothing contributes.
    template <class Apply>
    void for_each(int width, int threads, const Apply &apply) const {
        visit(width, threads, true, [](int64_t) {}, apply);
    }

    // The same for the rows alone that something contributes to. They lie anywhere in the table:
    // fetch(row) is called for each before it is its turn.
    template <class Fetch, class Apply>
    void for_each_touched(int width, int threads, const Fetch &fetch, const Apply &apply) const {
        visit(width, threads, false, fetch, apply);
    }

  private:
    static constexpr int64_t AT_A_TIME = 64;  // rows that a thread takes
    static constexpr int64_t MANY = 16;       // rows for a contribution: then sorting is quicker
    static constexpr int64_t HEAVY = 64;      // contributions that make a row a heavy one
    static constexpr int COLUMNS = 64;        // of heavy rows, summed at a time

    template <class Fetch, class Apply>
    void visit(int width, int threads, bool every, const Fetch &fetch, const Apply &apply) const {
        const Kernels &level = kernels();
        const int64_t touched = static_cast<int64_t>(touched_.size());
        const HeavyRows heavy = sum_heavy_rows(width, threads);
        std::vector<Scratch> scratch(std::max(threads, 1));
        const auto work = [&](int worker, int64_t begin, int64_t end) {
            float *gradient = scratch[worker].floats(width);
            int64_t at = begin;
            if (every)
                at = std::lower_bound(touched_.begin(), touched_.end(), begin) - touched_.begin();
            for (int64_t i = begin; i < end; ++i) {
                if (every && (at == touched || touched_[at] != i)) {
                    apply(i, nullptr);
                    continue;
                }
                if (at + 1 < touched) fetch(touched_[at + 1]);
                const float *sum = heavy.sum_of(at, width);
                if (!sum) level.sum_contributions(contributions(at), 0, width, gradient);
                apply(touched_[at++], sum ? sum : gradient);
            }
        };
        parallel_for(every ? table_rows_ : touched, AT_A_TIME, threads, work);
    }

    Contributions contributions(int64_t at) const {
        const int64_t first = first_[at];
        return {rows_.data() + first, weights_.data() + first, first_[at + 1] - first};
    }

    struct HeavyRows {
        std::vector<int64_t> places;  // among those touched, ascending
        std::unique_ptr<float[]> sums;

        const float *sum_of(int64_t at, int width) const {
            const auto found = std::lower_bound(places.begin(), places.end(), at);
            if (found == places.end() || *found != at) return nullptr;
            return sums.get() + (found - places.begin()) * width;
        }
    };

    // What contributes to frequent words is nearly everything: a few columns of it at a time stay
    // in the cache for all of them.
    HeavyRows sum_heavy_rows(int width, int threads) const {
        HeavyRows heavy;
        for (int64_t at = 0; at < static_cast<int64_t>(touched_.size()); ++at)
            if (first_[at + 1] - first_[at] >= HEAVY) heavy.places.push_back(at);
        const int64_t count = static_cast<int64_t>(heavy.places.size());
        if (count == 0) return heavy;
        heavy.sums.reset(new float[count * width]);
        const Kernels &level = kernels();
        parallel_for(width, COLUMNS, threads, [&](int, int64_t begin, int64_t end) {
            const int first = static_cast<int>(begin), columns = static_cast<int>(end - begin);
            for (int64_t i = 0; i < count; ++i)
                level.sum_contributions(contributions(heavy.places[i]), first, columns,
                                        heavy.sums.get() + i * width + first);
        });
        return heavy;
    }

    void put(const Contribution &each, int64_t at) {
        rows_[at] = each.row;
        weights_[at] = each.weight;
    }

    void sort(const std::vector<Contribution> &contributions) {
        std::vector<uint64_t> places;
        places.reserve(contributions.size());
        for (size_t i = 0; i < contributions.size(); ++i)
            places.push_back(static_cast<uint64_t>(contributions[i].table_row) << 32 | i);
        std::sort(places.begin(), places.end());
        for (size_t at = 0; at < places.size(); ++at) {
            const Contribution &each = contributions[places[at] & 0xffffffffu];
            if (touched_.empty() || touched_.back() != each.table_row) {
                touched_.push_back(each.table_row);
                first_.push_back(static_cast<int64_t>(at));
            }
            put(each, static_cast<int64_t>(at));
        }
    }

    void count(const std::vector<Contribution> &contributions) {
        std::vector<int64_t> next(table_rows_ + 1);
        for (const Contribution &each : contributions) ++next[each.table_row + 1];
        for (int64_t row = 0; row < table_rows_; ++row) {
            if (next[row + 1] > 0) {
                touched_.push_back(static_cast<int32_t>(row));
                first_.push_back(next[row]);
            }
            next[row + 1] += next[row];
        }
        for (const Contribution &each : contributions) put(each, next[each.table_row]++);
    }

    int64_t table_rows_ = 0;
    std::vector<int32_t> touched_;  // rows of the table, ascending
    std::vector<int64_t> first_;    // of each of them, and the end
    std::vector<const float *> rows_;
    std::vector<float> weights_;
};

}  // namespace cmow

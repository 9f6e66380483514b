#include "clusters.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "parallel.hpp"
#include "sieve.hpp"
#include "tiles.hpp"

namespace cmow {

namespace {

constexpr int64_t CHUNK = 64 * TILE;  // rows that a thread takes at a time

// The pairs of queries and rows whose sketches are alike enough.
class Candidates {
  public:
    Candidates(const std::vector<SearchBlock> &blocks, const PaddedQueries &queries,
               const Sieve *sieve, float least)
        : table_(blocks[0].table), queries_(queries), least_(queries.count(), least),
          found_(sieve ? 0 : TILE * queries.count()) {
        if (sieve) sieving_.emplace(*sieve);
    }

    // :param visit: takes a query's number and a row's
    template <class Visit>
    void visit(int64_t first, int rows, const Visit &visit) {
        if (sieving_) {
            const std::vector<uint64_t> &bits = sieving_->promising(first, rows, least_.data());
            for (int q = 0; q < queries_.count(); ++q)
                for (uint64_t rest = bits[q]; rest; rest &= rest - 1)
                    visit(q, first + std::countr_zero(rest));
            return;
        }
        tile_scores(table_, first, rows, queries_, 0, queries_.count(), found_.data());
        for (int q = 0; q < queries_.count(); ++q)
            for (int r = 0; r < rows; ++r)
                if (found_[q * rows + r] >= least_[q]) visit(q, first + r);
    }

  private:
    const Table &table_;
    const PaddedQueries &queries_;
    std::vector<float> least_;
    std::optional<Sieve::Worker> sieving_;
    std::vector<float> found_;
};

}  // namespace

Clusters::Clusters(int64_t count) : parents_(count) {
    for (int64_t row = 0; row < count; ++row) parents_[row] = row;
}

int64_t Clusters::root(int64_t row) {
    while (parents_[row] != row) {
        parents_[row] = parents_[parents_[row]];
        row = parents_[row];
    }
    return row;
}

bool Clusters::linked(int64_t row, int64_t other) {
    const std::lock_guard<std::mutex> locked(linking_);
    return root(row) == root(other);
}

void Clusters::link(int64_t row, int64_t other) {
    const std::lock_guard<std::mutex> locked(linking_);
    const int64_t a = root(row), b = root(other);
    parents_[std::max(a, b)] = std::min(a, b);
}

void Clusters::link(const SearchBlock &rows, const SearchBlock &sketches, int64_t first_row,
                    int query_count, Alike alike, int threads) {
    const PaddedQueries queries(rows.queries, query_count, rows.table.width),
        sketched(sketches.queries, query_count, sketches.table.width);
    const std::vector<SearchBlock> blocks{sketches};
    std::optional<Sieve> sieve;
    if (Sieve::helps(blocks, query_count)) sieve.emplace(blocks, query_count);
    parallel_for(rows.table.count, CHUNK, threads, [&](int, int64_t low, int64_t high) {
        Candidates candidates(blocks, sketched, sieve ? &*sieve : nullptr,
                              alike.threshold - alike.margin);
        for (int64_t first = low; first < high; first += TILE) {
            const int some = static_cast<int>(std::min<int64_t>(TILE, high - first));
            candidates.visit(first, some, [&](int q, int64_t row) {
                if (linked(first_row + q, first_row + row)) return;
                float score;
                tile_scores(rows.table, row, 1, queries, q, 1, &score);
                if (score >= alike.threshold) link(first_row + q, first_row + row);
            });
        }
    });
}

std::vector<int64_t> Clusters::labels() {
    const std::lock_guard<std::mutex> locked(linking_);
    std::vector<int64_t> labels(parents_.size());
    for (int64_t row = 0; row < count(); ++row) labels[row] = root(row);
    return labels;
}

}  // namespace cmow

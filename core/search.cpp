#include "search.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <optional>

#include "parallel.hpp"
#include "sieve.hpp"
#include "tiles.hpp"

namespace cmow {

namespace {

constexpr int64_t CHUNK = 64 * TILE;  // rows that a thread takes at a time
constexpr int64_t QUERIES = 240;      // that share a pass over the rows
constexpr int64_t MANY = 16;          // if one row of so many is wanted, most are not sorted out

bool better(const Hit &a, const Hit &b) {
    return a.score > b.score || (a.score == b.score && a.row < b.row);
}

// The best hits so far: a heap whose front is the worst of them.
class Best {
  public:
    explicit Best(int64_t k) : k_(k) {}

    void offer(Hit hit) {
        if (static_cast<int64_t>(hits_.size()) == k_) {
            if (!better(hit, hits_.front())) return;
            std::pop_heap(hits_.begin(), hits_.end(), better);
            hits_.back() = hit;
        } else {
            if (hit.score != hit.score) return;  // NaN is no score
            hits_.push_back(hit);
        }
        std::push_heap(hits_.begin(), hits_.end(), better);
    }

    // What a score must reach to be among them.
    float least() const {
        return static_cast<int64_t>(hits_.size()) == k_ ? hits_.front().score
                                                        : -std::numeric_limits<float>::infinity();
    }

    const std::vector<Hit> &hits() const { return hits_; }

  private:
    int64_t k_;
    std::vector<Hit> hits_;
};

void add_weighted(const float *weights, int rows, int query_count, const float *more, float *out) {
    for (int q = 0; q < query_count; ++q, out += rows, more += rows)
        for (int r = 0; r < rows; ++r) out[r] += weights ? weights[r] * more[r] : more[r];
}

// The scores of all queries with the rows of a chunk, some rows at a time.
class AllScores {
  public:
    AllScores(const std::vector<SearchBlock> &blocks, const std::vector<PaddedQueries> &queries)
        : blocks_(blocks), queries_(queries), count_(queries.front().count()),
          total_(TILE * count_), part_(TILE * count_) {}

    // :param offer: takes a query's number, a score and a row
    template <class Offer>
    void offer(int64_t first, int rows, const Offer &offer) {
        add(first, rows, 0, count_);
        for (int q = 0; q < count_; ++q)
            for (int r = 0; r < rows; ++r) offer(q, total_[q * rows + r], first + r);
    }

    float one(int query, int64_t row) {
        add(row, 1, query, 1);
        return total_[0];
    }

  private:
    void add(int64_t first, int rows, int first_query, int count) {
        std::fill_n(total_.begin(), rows * count, 0.0f);
        for (size_t b = 0; b < blocks_.size(); ++b) {
            tile_scores(blocks_[b].table, first, rows, queries_[b], first_query, count,
                        part_.data());
            const float *weights = blocks_[b].weights;
            add_weighted(weights ? weights + first : nullptr, rows, count, part_.data(),
                         total_.data());
        }
    }

    const std::vector<SearchBlock> &blocks_;
    const std::vector<PaddedQueries> &queries_;
    int count_;
    std::vector<float> total_, part_;
};

// The hits of a few queries, the blocks' first ones.
void search_few(const std::vector<SearchBlock> &blocks, int query_count, const uint8_t *alive,
                int64_t k, int threads, Hit *hits) {
    std::vector<PaddedQueries> queries;
    for (const SearchBlock &block : blocks)
        queries.emplace_back(block.queries, query_count, block.table.width);
    const int64_t count = blocks.front().table.count;
    std::optional<Sieve> sieve;
    if (k <= count / MANY && Sieve::helps(blocks, query_count)) sieve.emplace(blocks, query_count);
    const int workers = std::max(threads, 1);
    std::vector<std::vector<Best>> found(workers);
    parallel_for(count, CHUNK, workers, [&](int worker, int64_t begin, int64_t end) {
        std::vector<Best> &best = found[worker];
        if (best.empty()) best.assign(query_count, Best(k));
        AllScores scores(blocks, queries);
        const auto offer = [&](int q, float score, int64_t row) {
            if (!alive || alive[row]) best[q].offer({.score = score, .row = row});
        };
        std::optional<Sieve::Worker> sieving;
        if (sieve) sieving.emplace(*sieve);
        std::vector<float> least(query_count);
        for (int64_t first = begin; first < end; first += TILE) {
            const int rows = static_cast<int>(std::min<int64_t>(TILE, end - first));
            if (!sieving) {
                scores.offer(first, rows, offer);
                continue;
            }
            for (int q = 0; q < query_count; ++q) least[q] = best[q].least();
            const std::vector<uint64_t> &promising = sieving->promising(first, rows, least.data());
            for (int q = 0; q < query_count; ++q)
                for (uint64_t bits = promising[q]; bits; bits &= bits - 1) {
                    const int64_t row = first + std::countr_zero(bits);
                    offer(q, scores.one(q, row), row);
                }
        }
    });
    for (int q = 0; q < query_count; ++q, hits += k) {
        std::vector<Hit> all;
        for (const std::vector<Best> &best : found)
            if (!best.empty()) all.insert(all.end(), best[q].hits().begin(), best[q].hits().end());
        std::sort(all.begin(), all.end(), better);
        const int64_t kept = std::min<int64_t>(k, static_cast<int64_t>(all.size()));
        std::copy_n(all.begin(), kept, hits);
        std::fill(hits + kept, hits + k, Hit{.score = 0, .row = -1});
    }
}

}  // namespace

void search(const std::vector<SearchBlock> &blocks, int64_t query_count, const uint8_t *alive,
            int64_t k, int threads, Hit *hits) {
    for (int64_t first = 0; first < query_count; first += QUERIES) {
        std::vector<SearchBlock> some = blocks;
        for (SearchBlock &block : some) block.queries += first * block.table.width;
        const int count = static_cast<int>(std::min(QUERIES, query_count - first));
        search_few(some, count, alive, k, threads, hits + first * k);
    }
}

}  // namespace cmow

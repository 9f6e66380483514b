#include "search.hpp"

#include <algorithm>

#include "levels.hpp"
#include "parallel.hpp"

namespace cmow {

namespace {

constexpr int TILE = 64;              // rows whose scores are computed at a time
constexpr int64_t CHUNK = 64 * TILE;  // rows that a thread takes at a time
constexpr int64_t QUERIES = 240;      // that share a pass over the rows
constexpr int LANES = 16;             // of the widest vector

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

    const std::vector<Hit> &hits() const { return hits_; }

  private:
    int64_t k_;
    std::vector<Hit> hits_;
};

// Rows with zeros behind them, so that the kernels need not look where a row ends.
class PaddedQueries {
  public:
    PaddedQueries(const float *queries, int64_t count, int width)
        : stride_((width + LANES - 1) / LANES * LANES), numbers_(count * stride_) {
        for (int64_t q = 0; q < count; ++q)
            std::copy_n(queries + q * width, width, &numbers_[q * stride_]);
    }

    const float *data() const { return numbers_.data(); }
    int stride() const { return stride_; }

  private:
    int stride_;
    std::vector<float> numbers_;
};

// out[q][r] = the products of queries with a tile of rows
void tile_scores(const Table &table, int64_t first, int rows, const PaddedQueries &queries,
                 int query_count, float *out) {
    kernels().scores(table, first, rows, queries.data(), query_count, queries.stride(), out);
    if (!table.scales) return;
    for (int q = 0; q < query_count; ++q, out += rows)
        for (int r = 0; r < rows; ++r) out[r] *= table.scales[first + r];
}

void add_weighted(const float *weights, int rows, int query_count, const float *more, float *out) {
    for (int q = 0; q < query_count; ++q, out += rows, more += rows)
        for (int r = 0; r < rows; ++r) out[r] += weights ? weights[r] * more[r] : more[r];
}

// The hits of a few queries.
void search_few(const std::vector<SearchBlock> &blocks, int64_t first_query, int query_count,
                const uint8_t *alive, int64_t k, int threads, Hit *hits) {
    const int64_t count = blocks.front().table.count;
    std::vector<PaddedQueries> queries;
    for (const SearchBlock &block : blocks) {
        const int width = block.table.width;
        queries.emplace_back(block.queries + first_query * width, query_count, width);
    }
    const int workers = std::max(threads, 1);
    std::vector<std::vector<Best>> found(workers);
    parallel_for(count, CHUNK, workers, [&](int worker, int64_t begin, int64_t end) {
        std::vector<Best> &best = found[worker];
        if (best.empty()) best.assign(query_count, Best(k));
        std::vector<float> total(TILE * query_count), part(TILE * query_count);
        for (int64_t first = begin; first < end; first += TILE) {
            const int rows = static_cast<int>(std::min<int64_t>(TILE, end - first));
            std::fill(total.begin(), total.end(), 0.0f);
            for (size_t b = 0; b < blocks.size(); ++b) {
                tile_scores(blocks[b].table, first, rows, queries[b], query_count, part.data());
                const float *weights = blocks[b].weights;
                add_weighted(weights ? weights + first : nullptr, rows, query_count, part.data(),
                             total.data());
            }
            for (int q = 0; q < query_count; ++q)
                for (int r = 0; r < rows; ++r)
                    if (!alive || alive[first + r])
                        best[q].offer({.score = total[q * rows + r], .row = first + r});
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
        const int some = static_cast<int>(std::min(QUERIES, query_count - first));
        search_few(blocks, first, some, alive, k, threads, hits + first * k);
    }
}

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

void Clusters::link(const Table &table, int64_t first_row, const float *given, int64_t query_count,
                    int64_t first_query, float threshold, int threads) {
    const PaddedQueries queries(given, query_count, table.width);
    const int count = static_cast<int>(query_count);
    parallel_for(table.count, CHUNK, threads, [&](int, int64_t begin, int64_t end) {
        std::vector<float> found(TILE * count);
        for (int64_t first = begin; first < end; first += TILE) {
            const int rows = static_cast<int>(std::min<int64_t>(TILE, end - first));
            tile_scores(table, first, rows, queries, count, found.data());
            if (*std::max_element(found.begin(), found.begin() + rows * count) < threshold)
                continue;
            const std::lock_guard<std::mutex> locked(linking_);
            for (int q = 0; q < count; ++q)
                for (int r = 0; r < rows; ++r) {
                    if (!(found[q * rows + r] >= threshold)) continue;
                    const int64_t a = root(first_query + q), b = root(first_row + first + r);
                    parents_[std::max(a, b)] = std::min(a, b);
                }
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

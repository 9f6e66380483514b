// Which rows may be among the best of some queries: found by bytes of both, at a fraction of the
// cost of the products, and never too few. What a search finds does not depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "scratch.hpp"
#include "search.hpp"
#include "tiles.hpp"

namespace cmow {

class Sieve {
  public:
    // Whether it saves time: few queries want less memory to be read, many of them quick products.
    static bool helps(const std::vector<SearchBlock> &blocks, int query_count);

    // :param blocks: with the queries, of which the first `query_count` count
    Sieve(const std::vector<SearchBlock> &blocks, int query_count);

    // Room for one thread's work.
    class Worker {
      public:
        explicit Worker(const Sieve &sieve);

        // For each query, a bit for each of up to 64 rows whose score may reach its `least`.
        const std::vector<uint64_t> &promising(int64_t first, int rows, const float *least);

      private:
        void pack(int64_t first, int rows, const float *least);
        void compare(int64_t first, int rows, const float *least);

        const Sieve &sieve_;
        Scratch memory_;
        std::vector<ByteRows> rows_;
        std::vector<float> total_, part_;
        std::vector<uint64_t> found_;
    };

  private:
    // Whether a few queries are compared with rows in int8 as they are, and not packed.
    static bool is_few(int query_count) { return query_count < 4; }

    // A block's queries as bytes.
    struct Packed {
        std::vector<int32_t> numbers, starts;
        std::vector<float> scales, errors, norms;
    };

    const std::vector<SearchBlock> &blocks_;
    int query_count_;
    std::vector<PaddedQueries> padded_;  // of few
    std::vector<Packed> packed_;         // of many
    std::vector<ByteQueries> queries_;
};

}  // namespace cmow

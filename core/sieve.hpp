// Which rows may be among the best of some queries: found by bytes of both, at a fraction of the
// cost of the products, and never too few. What a search finds does not depend on it.
#pragma once

#include <cstdint>
#include <vector>

#include "scratch.hpp"
#include "search.hpp"

namespace cmow {

class Sieve {
  public:
    // Whether it saves time: bytes must be quick, and many queries must share the packing of rows.
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
        const Sieve &sieve_;
        Scratch memory_;
        std::vector<ByteRows> rows_;
        std::vector<uint64_t> found_;
    };

  private:
    // A block's queries as bytes.
    struct Packed {
        std::vector<int32_t> numbers, starts;
        std::vector<float> scales, errors, norms;
    };

    const std::vector<SearchBlock> &blocks_;
    int query_count_;
    std::vector<Packed> packed_;
    std::vector<ByteQueries> queries_;
};

}  // namespace cmow

#include "machine.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

#include "levels.hpp"
#include "parallel.hpp"

namespace cmow {

namespace {

// The best rate of several tries, all threads together: whatever disturbs only makes it slower.
template <class Work>
double best_rate(int threads, const Work &work) {
    constexpr int TRIES = 7;
    double best = 0;
    for (int i = 0; i < TRIES; ++i) {
        std::vector<double> amounts(threads);
        const auto start = std::chrono::steady_clock::now();
        parallel_for(threads, 1, threads,
                     [&](int, int64_t part, int64_t) { amounts[part] = work(part); });
        const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
        const double amount = std::accumulate(amounts.begin(), amounts.end(), 0.0);
        best = std::max(best, amount / seconds.count());
    }
    return best;
}

}  // namespace

double peak_flops(int threads) {
    return best_rate(threads, [](int64_t) {
        float sink = 0.5f;
        return kernels().multiply_adds(10'000'000, &sink);
    });
}

double peak_bandwidth(int threads) {
    constexpr int64_t COUNT = 64 << 20;  // a quarter of a gigabyte: no cache holds it
    std::vector<float> memory(COUNT * threads, 1.0f);
    return best_rate(threads, [&](int64_t part) {
        float sink;
        return kernels().read_memory(memory.data() + part * COUNT, COUNT, &sink);
    });
}

}  // namespace cmow

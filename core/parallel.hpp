// Splits [0, count) into chunks that worker threads take one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace cmow {

inline int every_core() { return static_cast<int>(std::thread::hardware_concurrency()); }

// Calls work(worker, begin, end) until every chunk is done. Threads live as long as the call: no
// pool that a fork would break. The first exception is passed on.
template <class Work>
void parallel_for(int64_t count, int64_t chunk, int threads, const Work &work) {
    const int64_t chunks = (count + chunk - 1) / chunk;
    const int workers = static_cast<int>(std::clamp<int64_t>(chunks, 1, std::max(threads, 1)));
    std::atomic<int64_t> next{0};
    std::exception_ptr failure;
    std::mutex failure_mutex;
    auto run = [&](int worker) {
        try {
            for (int64_t i; (i = next.fetch_add(1)) < chunks;)
                work(worker, i * chunk, std::min(count, (i + 1) * chunk));
        } catch (...) {
            std::lock_guard lock(failure_mutex);
            if (!failure) failure = std::current_exception();
            next = chunks;
        }
    };
    std::vector<std::thread> others;
    try {
        for (int worker = 1; worker < workers; ++worker) others.emplace_back(run, worker);
    } catch (const std::system_error &) {
        // The system grants no more threads: those there are do all the work.
    }
    run(0);
    for (std::thread &thread : others) thread.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace cmow

// Splits [0, count) into chunks that worker threads take one after the other.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <thread>
#include <vector>

namespace cmow {

#if defined(__wasm__)

// WebAssembly has one thread, and no exceptions.
template <class Work>
void parallel_for(int64_t count, int64_t chunk, int, const Work &work) {
    for (int64_t begin = 0; begin < count; begin += chunk)
        work(0, begin, std::min(count, begin + chunk));
}

#else

// Threads that are waited for whatever happens: one that is never joined would end the process.
class Threads {
  public:
    Threads() = default;
    ~Threads() {
        for (std::thread &thread : threads_) thread.join();
    }
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;

    // Starts run(1), run(2) up to run(count), or as many of them as the system grants.
    template <class Run>
    void start(int count, const Run &run) {
        try {
            for (int i = 1; i <= count; ++i) threads_.emplace_back(run, i);
        } catch (const std::exception &) {
            // Neither memory nor threads are to be had for more.
        }
    }

  private:
    std::vector<std::thread> threads_;
};

// Calls work(worker, begin, end) until every chunk is done. Threads live as long as the call: no
// pool that a fork would break. The first exception is passed on.
template <class Work>
void parallel_for(int64_t count, int64_t chunk, int threads, const Work &work) {
    const int64_t chunks = (count + chunk - 1) / chunk;
    const int workers = static_cast<int>(std::clamp<int64_t>(chunks, 1, std::max(threads, 1)));
    std::atomic<int64_t> next{0};
    std::exception_ptr failure;
    std::atomic<bool> failed{false};
    const auto run = [&](int worker) {
        try {
            for (int64_t i; (i = next.fetch_add(1)) < chunks;)
                work(worker, i * chunk, std::min(count, (i + 1) * chunk));
        } catch (...) {
            if (!failed.exchange(true)) failure = std::current_exception();
            next = chunks;
        }
    };
    {
        Threads others;
        others.start(workers - 1, run);
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
}

#endif

}  // namespace cmow

// Memory for intermediate results, aligned to cache lines at least, grown when needed and then
// reused.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace cmow {

class Scratch {
  public:
    float *floats(size_t count) {
        if (count > count_) {
            // What is too small goes first: both may not fit, and nobody needs its content.
            memory_.reset();
            count_ = 0;
            count += count / 4;  // the next need may be a little larger: new pages cost time
            memory_.reset(allocate(count * sizeof(float)));
            if (!memory_) throw std::bad_alloc();
            count_ = count;
        }
        return memory_.get();
    }

  private:
    static constexpr size_t LINE = 64, HUGE_PAGE = 2 << 20;

    // Gradients fill tens of megabytes that are read but once: huge pages spare the look-up of
    // addresses.
    static float *allocate(size_t bytes) {
        const size_t alignment = bytes < HUGE_PAGE ? LINE : HUGE_PAGE;
        bytes = (bytes + alignment - 1) / alignment * alignment;
        void *memory = std::aligned_alloc(alignment, bytes);
#if defined(MADV_HUGEPAGE)
        if (memory && alignment == HUGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return static_cast<float *>(memory);
    }

    struct Free {
        void operator()(float *memory) const { std::free(memory); }
    };
    std::unique_ptr<float, Free> memory_;
    size_t count_ = 0;
};

}  // namespace cmow

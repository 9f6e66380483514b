// Memory for intermediate results, aligned to cache lines at least, grown when needed and then
// reused.
#pragma once

#include <cstddef>
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
            memory_ = allocate(count * sizeof(float));
            count_ = count;
        }
        return memory_.get();
    }

  private:
    static constexpr size_t LINE = 64, HUGE_PAGE = 2 << 20;

    struct Free {
        std::align_val_t alignment;
        void operator()(float *memory) const { ::operator delete(memory, alignment); }
    };
    using Memory = std::unique_ptr<float, Free>;

    // Gradients fill tens of megabytes that are read but once: huge pages spare the look-up of
    // addresses.
    static Memory allocate(size_t bytes) {
        const size_t alignment = bytes < HUGE_PAGE ? LINE : HUGE_PAGE;
        bytes = (bytes + alignment - 1) / alignment * alignment;
        const std::align_val_t aligned{alignment};
        void *memory = ::operator new(bytes, aligned);
#if defined(MADV_HUGEPAGE)
        if (alignment == HUGE_PAGE) madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        return Memory(static_cast<float *>(memory), Free{aligned});
    }

    Memory memory_{nullptr, Free{}};
    size_t count_ = 0;
};

}  // namespace cmow

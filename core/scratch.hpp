// Memory for intermediate results, aligned to cache lines, grown when needed and then reused.
#pragma once

#include <cstdlib>
#include <memory>
#include <new>

namespace cmow {

class Scratch {
  public:
    float *floats(size_t count) {
        if (count > count_) {
            count += count / 4;  // the next need may be a little larger: new pages cost time
            const size_t bytes = (count * sizeof(float) + 63) / 64 * 64;
            memory_.reset(static_cast<float *>(std::aligned_alloc(64, bytes)));
            if (!memory_) throw std::bad_alloc();
            count_ = count;
        }
        return memory_.get();
    }

  private:
    struct Free {
        void operator()(float *memory) const { std::free(memory); }
    };
    std::unique_ptr<float, Free> memory_;
    size_t count_ = 0;
};

}  // namespace cmow

// What an embedding of a training batch is made of: the words low..high of a sentence but the
// target, which is to be told from them. With a target outside, it is all of them.
#pragma once

#include <cstdint>

namespace cmow {

struct Window {
    int32_t sentence, low, target, high;  // positions in the batch's ids; high is one beyond
};

// The number of words that are embedded.
static inline int32_t words_of(const Window &window) {
    return window.high - window.low - (window.low <= window.target && window.target < window.high);
}

}  // namespace cmow

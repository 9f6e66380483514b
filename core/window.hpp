// A training example: the words low..high of a sentence, of which `target` is to be told from the
// others.
#pragma once

#include <cstdint>

namespace cmow {

struct Window {
    int32_t sentence, low, target, high;  // positions in the batch's ids; high is one beyond
};

}  // namespace cmow

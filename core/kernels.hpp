// What every instruction level provides: plain functions on plain memory, no policy.
#pragma once

namespace cmow {

struct Kernels {
    const char *level;
};

}  // namespace cmow

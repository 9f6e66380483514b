// What numbers a table holds.
#pragma once

#include <cmath>

#include "kernels.hpp"

namespace cmow {

struct Scan {
    int64_t bad = -1;                        // the first row that is not finite
    float smallest = INFINITY, largest = 0;  // of the rows' largest magnitudes
};

Scan scan(const Table &table, int threads);

}  // namespace cmow

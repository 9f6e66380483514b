// What the machine can do at best, measured with the kernels of the level in use.
#pragma once

namespace cmow {

double peak_flops(int threads);      // floating-point operations a second
double peak_bandwidth(int threads);  // bytes a second read from memory

}  // namespace cmow

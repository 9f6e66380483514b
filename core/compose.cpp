#include "kernels.hpp"
#include "vector.hpp"

#define CMOW_NAME(level) CMOW_QUOTE(level)
#define CMOW_QUOTE(level) #level

namespace cmow::CMOW_LEVEL {

extern const Kernels KERNELS;
const Kernels KERNELS{CMOW_NAME(CMOW_LEVEL)};

}  // namespace cmow::CMOW_LEVEL

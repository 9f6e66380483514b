#include "level.hpp"

#define CMOW_QUOTE(name) #name
#define CMOW_NAME(name) CMOW_QUOTE(name)

namespace cmow::CMOW_LEVEL {

extern const Kernels KERNELS;
const Kernels KERNELS{CMOW_NAME(CMOW_LEVEL), compose_scratch, compose, step_scratch, step,
                      sum_contributions, adam, multiply_adds, read_memory};

}  // namespace cmow::CMOW_LEVEL

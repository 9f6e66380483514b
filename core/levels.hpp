// Which set of compiled kernels this process uses: chosen once, from what the CPU can do.
#pragma once

#include <string>
#include <vector>

#include "kernels.hpp"

namespace cmow {

const Kernels &kernels();
std::vector<std::string> supported_levels();  // slowest first
void use_level(const std::string &name);      // throws std::invalid_argument

}  // namespace cmow

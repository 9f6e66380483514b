// Which set of compiled kernels this process uses: chosen once, from what the CPU can do.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "kernels.hpp"

namespace cmow {

struct UnknownLevel : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

const Kernels &kernels();                     // throws UnknownLevel if CMOW_LEVEL is wrong
std::vector<std::string> supported_levels();  // slowest first
void use_level(const std::string &name);      // throws UnknownLevel
bool has_byte_products();                     // whether bytes multiply quicker than floats

}  // namespace cmow

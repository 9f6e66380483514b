// Each room of the core binds itself; bindings.cpp puts them together.
#pragma once

#include <nanobind/nanobind.h>

namespace cmow {}

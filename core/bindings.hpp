// Each room of the core binds itself; bindings.cpp puts them together.
#pragma once

#include <nanobind/nanobind.h>

namespace cmow {

void bind_compose(nanobind::module_ &module);

}  // namespace cmow

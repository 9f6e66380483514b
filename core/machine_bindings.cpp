// The instruction levels of this CPU, and what it can do at best, as Python sees them.
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "levels.hpp"
#include "machine.hpp"

namespace nb = nanobind;

namespace cmow {

void bind_machine(nb::module_ &module) {
    module.def("levels", &supported_levels, "Instruction levels this CPU has, slowest first.");
    module.def("level", [] { return kernels().level; }, "The level in use.");
    module.def("use_level", &use_level, nb::arg("name"), "Switch to another level.");
    module.def("peak_flops", &peak_flops, nb::arg("threads"),
               nb::call_guard<nb::gil_scoped_release>(),
               "Floating-point operations a second in an ideal loop.");
    module.def("peak_bandwidth", &peak_bandwidth, nb::arg("threads"),
               nb::call_guard<nb::gil_scoped_release>(),
               "Bytes a second read from memory in an ideal loop.");
}

}  // namespace cmow

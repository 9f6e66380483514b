#include "bindings.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "levels.hpp"

namespace {

void translate(const std::exception_ptr &error, void *) {
    try {
        std::rethrow_exception(error);
    } catch (const cmow::UnknownLevel &unknown) {
        const nanobind::object type = nanobind::module_::import_("cmow.errors").attr("ConfigError");
        PyErr_SetString(type.ptr(), unknown.what());
    }
}

}  // namespace

NB_MODULE(_core, module) {
    nanobind::register_exception_translator(translate);
    module.doc() = "The compiled kernels of cmow.";
    module.def("levels", &cmow::supported_levels, "Instruction levels this CPU has, slowest first.");
    module.def("level", [] { return cmow::kernels().level; }, "The level in use.");
    module.def("use_level", &cmow::use_level, nanobind::arg("name"), "Switch to another level.");
    cmow::bind_compose(module);
    cmow::bind_corpus(module);
    cmow::bind_peak(module);
    cmow::bind_training(module);
    cmow::bind_words(module);
}

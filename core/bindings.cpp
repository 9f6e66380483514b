#include "bindings.hpp"

#include "levels.hpp"

namespace nb = nanobind;

namespace {

void translate(const std::exception_ptr &error, void *) {
    try {
        std::rethrow_exception(error);
    } catch (const cmow::UnknownLevel &unknown) {
        const nb::object type = nb::module_::import_("cmow.errors").attr("ConfigError");
        PyErr_SetString(type.ptr(), unknown.what());
    }
}

}  // namespace

NB_MODULE(_core, module) {
    nb::register_exception_translator(translate);
    module.doc() = "The compiled kernels of cmow.";
    cmow::bind_compose(module);
    cmow::bind_corpus(module);
    cmow::bind_machine(module);
    cmow::bind_search(module);
    cmow::bind_training(module);
    cmow::bind_words(module);
}

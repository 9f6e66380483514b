// Each room of the core binds itself; bindings.cpp puts them together. Bindings convert and check.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <string>

#include "kernels.hpp"

namespace cmow {

using Constants =
    nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A part's form and widths by its kind's name, checked.
Form bound_form(const std::string &kind, int size, const Constants &constants);
Widths bound_widths(const Form &form);

void bind_compose(nanobind::module_ &module);
void bind_corpus(nanobind::module_ &module);
void bind_machine(nanobind::module_ &module);
void bind_training(nanobind::module_ &module);
void bind_words(nanobind::module_ &module);

}  // namespace cmow

// Each room of the core binds itself; bindings.cpp puts them together. Bindings convert and check.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>

#include "kernels.hpp"

namespace cmow {

using Constants =
    nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

using AnyRows =
    nanobind::ndarray<nanobind::ro, nanobind::ndim<2>, nanobind::c_contig, nanobind::device::cpu>;
using Scales =
    nanobind::ndarray<const float, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

// A table whose numbers are of any type that there is, checked.
Table bound_table(const AnyRows &rows, const std::optional<Scales> &scales);

// A part's form and widths by its kind's name, checked.
Form bound_form(const std::string &kind, int size, const Constants &constants);
Widths bound_widths(const Form &form);

void bind_compose(nanobind::module_ &module);
void bind_corpus(nanobind::module_ &module);
void bind_machine(nanobind::module_ &module);
void bind_search(nanobind::module_ &module);
void bind_training(nanobind::module_ &module);
void bind_words(nanobind::module_ &module);

}  // namespace cmow

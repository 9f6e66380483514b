// Each room of the core binds itself; bindings.cpp puts them together.
#pragma once

#include <nanobind/nanobind.h>

namespace cmow {

void bind_compose(nanobind::module_ &module);
void bind_corpus(nanobind::module_ &module);
void bind_machine(nanobind::module_ &module);
void bind_training(nanobind::module_ &module);
void bind_words(nanobind::module_ &module);

}  // namespace cmow

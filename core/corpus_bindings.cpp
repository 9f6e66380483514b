// The permutation of sentences as Python sees it.
#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "permutation.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

using Positions = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void permute(const Positions &positions, uint64_t size, uint64_t seed, uint64_t stream) {
    Permutation(size, seed, stream).replace({positions.data(), positions.size()});
}

}  // namespace

void bind_corpus(nb::module_ &module) {
    module.def("permute", &permute, nb::arg("positions"), nb::arg("size"), nb::arg("seed"),
               nb::arg("stream"), nb::call_guard<nb::gil_scoped_release>(),
               "Replace positions by the elements of a seeded permutation that stand there.");
}

}  // namespace cmow

// The permutation of sentences as Python sees it.
#include <nanobind/ndarray.h>

#include <stdexcept>

#include "bindings.hpp"
#include "permutation.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

using Positions = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void permute(const Positions &positions, uint64_t size, uint64_t seed, uint64_t stream) {
    const Permutation permutation(size, seed, stream);
    for (size_t i = 0; i < positions.size(); ++i) {
        int64_t &position = positions.data()[i];
        if (position < 0 || static_cast<uint64_t>(position) >= size)
            throw std::out_of_range("position outside of the permutation");
        position = static_cast<int64_t>(permutation[static_cast<uint64_t>(position)]);
    }
}

}  // namespace

void bind_corpus(nb::module_ &module) {
    module.def("permute", &permute, nb::arg("positions"), nb::arg("size"), nb::arg("seed"),
               nb::arg("stream"), nb::call_guard<nb::gil_scoped_release>(),
               "Replace positions by the elements of a seeded permutation that stand there.");
}

}  // namespace cmow

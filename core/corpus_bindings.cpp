// Sentences of ids, and their permutation, as Python sees them.
#include <nanobind/ndarray.h>

#include "bindings.hpp"
#include "corpus.hpp"
#include "permutation.hpp"

namespace nb = nanobind;

namespace cmow {
namespace {

using Ids = nb::ndarray<const int32_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Offsets = nb::ndarray<const int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

void permute(const Positions &positions, uint64_t size, uint64_t seed, uint64_t stream) {
    Permutation(size, seed, stream).replace({positions.data(), positions.size()});
}

int64_t bound_first_unknown(const Ids &ids, int64_t vocabulary, int threads) {
    nb::gil_scoped_release unlocked;
    return first_unknown(ids.data(), static_cast<int64_t>(ids.shape(0)), vocabulary, threads);
}

int64_t bound_first_fallen(const Offsets &offsets, int64_t least, int64_t most, int threads) {
    nb::gil_scoped_release unlocked;
    return first_fallen(offsets.data(), static_cast<int64_t>(offsets.shape(0)), least, most,
                        threads);
}

}  // namespace

void bind_corpus(nb::module_ &module) {
    module.def("first_unknown", &bound_first_unknown, nb::arg("ids"), nb::arg("vocabulary"),
               nb::arg("threads"), "The first of some ids that a vocabulary lacks, or -1.");
    module.def("first_fallen", &bound_first_fallen, nb::arg("offsets"), nb::arg("least"),
               nb::arg("most"), nb::arg("threads"),
               "The first offset that is less than the one before it, or more than the most, or "
               "-1.");
    module.def("permute", &permute, nb::arg("positions"), nb::arg("size"), nb::arg("seed"),
               nb::arg("stream"), nb::call_guard<nb::gil_scoped_release>(),
               "Replace positions by the elements of a seeded permutation that stand there.");
}

}  // namespace cmow

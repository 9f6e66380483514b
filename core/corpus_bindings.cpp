// Sentences of ids, and their permutation, as Python sees them.
#include <nanobind/ndarray.h>
#include <nanobind/stl/tuple.h>

#include <tuple>

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

std::tuple<int64_t, int64_t> check_corpus(const Ids &flat, const Offsets &offsets,
                                          int64_t vocabulary, int threads) {
    if (offsets.shape(0) == 0) throw nb::value_error("offsets must hold n + 1 numbers");
    const Corpus corpus(flat.data(), static_cast<int64_t>(flat.shape(0)), offsets.data(),
                        static_cast<int64_t>(offsets.shape(0)) - 1, vocabulary);
    nb::gil_scoped_release unlocked;
    return {corpus.bad_offset(threads), corpus.bad_id(threads)};
}

}  // namespace

void bind_corpus(nb::module_ &module) {
    module.def("check_corpus", &check_corpus, nb::arg("flat"), nb::arg("offsets"),
               nb::arg("vocabulary"), nb::arg("threads"),
               "The first offset that falls or leaves the ids, and the place of the first id that "
               "the vocabulary lacks; -1 if there is none.");
    module.def("permute", &permute, nb::arg("positions"), nb::arg("size"), nb::arg("seed"),
               nb::arg("stream"), nb::call_guard<nb::gil_scoped_release>(),
               "Replace positions by the elements of a seeded permutation that stand there.");
}

}  // namespace cmow

// Every kind of part.
#include "product.hpp"
#include "reversed.hpp"
#include "sum.hpp"
#include "windows.hpp"

namespace cmow::CMOW_LEVEL {

constexpr PartKernels PARTS[] = {
    kernels_of<Sum>(), kernels_of<Product>(), kernels_of<Reversed>(), kernels_of<Windows>(), {},
};

}  // namespace cmow::CMOW_LEVEL

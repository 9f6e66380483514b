// Square matrices under multiplication from right to left: the last word leftmost. Beside a product
// it makes a CMOW that reads both ways.
#pragma once

#include "product.hpp"

namespace cmow::CMOW_LEVEL {

struct Reversed : MatrixProduct<Reversed, Reading::backwards> {
    static constexpr const char *NAME = "reversed";
};

}  // namespace cmow::CMOW_LEVEL

// What an update learns from: sentences, and the windows of them that are embedded. Objectives that
// need to know more derive from it.
#pragma once

#include <cstdint>
#include <vector>

#include "window.hpp"

namespace cmow {

struct Batch {
    virtual ~Batch() = default;

    std::vector<int32_t> ids;              // the sentences, one behind the other
    std::vector<Window> windows;           // by sentence
    std::vector<int64_t> first_id{0};      // of each sentence, and the end
    std::vector<int64_t> first_window{0};  // of each sentence, and the end

    int64_t sentences() const { return static_cast<int64_t>(first_id.size()) - 1; }
};

}  // namespace cmow

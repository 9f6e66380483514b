// A seeded permutation of [0, size) that is computed, not stored: any element in a few nanoseconds,
// no memory whatever the size, and the same on every machine (unsigned 64-bit arithmetic only).
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "random.hpp"

namespace cmow {

// A Feistel network permutes the next power of two; numbers that fall outside [0, size) are
// permuted again until they fall inside ("cycle walking").
class Permutation {
  public:
    // Streams give independent permutations for one seed, for example one for each epoch.
    Permutation(uint64_t size, uint64_t seed, uint64_t stream = 0) : size_(size) {
        // Fewer than six bits do not mix well: some orders of five elements would be likelier.
        const int bits = std::max(6, static_cast<int>(std::bit_width(size - (size > 0))));
        low_bits_ = bits / 2;
        low_mask_ = (uint64_t{1} << low_bits_) - 1;
        high_mask_ = (uint64_t{1} << (bits - low_bits_)) - 1;
        uint64_t state = mix(mix(seed) + stream);
        for (uint64_t &key : keys_) key = mix(state += GOLDEN);
    }

    uint64_t size() const { return size_; }

    // The element at a position below the size.
    uint64_t operator[](uint64_t position) const {
        do position = shuffle(position);
        while (position >= size_);
        return position;
    }

    // Replaces positions by the elements that stand there.
    void replace(std::span<int64_t> positions) const {
        for (int64_t &position : positions) {
            if (position < 0 || static_cast<uint64_t>(position) >= size_)
                throw std::out_of_range("position outside of the permutation");
            position = static_cast<int64_t>((*this)[static_cast<uint64_t>(position)]);
        }
    }

  private:
    uint64_t shuffle(uint64_t number) const {
        uint64_t high = number >> low_bits_, low = number & low_mask_;
        for (std::size_t round = 0; round < keys_.size(); round += 2) {
            high ^= mix(low + keys_[round]) & high_mask_;
            low ^= mix(high + keys_[round + 1]) & low_mask_;
        }
        return high << low_bits_ | low;
    }

    uint64_t size_, low_mask_, high_mask_;
    int low_bits_;
    std::array<uint64_t, 8> keys_;
};

}  // namespace cmow

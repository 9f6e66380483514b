// Random numbers that follow from a key and a counter alone: the same on every machine, for any
// number of threads, and from any point on.
#pragma once

#include <cstdint>

namespace cmow {

constexpr uint64_t GOLDEN = 0x9e3779b97f4a7c15;

// The finaliser of SplitMix64: every bit of the result depends on every bit of the number.
inline uint64_t mix(uint64_t number) {
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9;
    number = (number ^ (number >> 27)) * 0x94d049bb133111eb;
    return number ^ (number >> 31);
}

class Random {
  public:
    Random(uint64_t seed, uint64_t stream, uint64_t index)
        : state_(mix(mix(mix(seed) + GOLDEN * (stream + 1)) + GOLDEN * (index + 1))) {}

    uint64_t next() { return mix(state_ += GOLDEN); }

    // Uniform in [0, 1), with the 24 bits that a float holds.
    float uniform() { return static_cast<float>(next() >> 40) * 0x1p-24f; }

    // Uniform below a bound that is tiny against 2^64: the bias is beyond measuring.
    uint32_t below(uint32_t bound) {
        return static_cast<uint32_t>(static_cast<unsigned __int128>(next()) * bound >> 64);
    }

  private:
    uint64_t state_;
};

}  // namespace cmow

// Float vectors of the instruction level that a kernel file is compiled for.
//
// Kernel files are compiled several times with different instruction sets and linked into one
// module. They therefore use nothing from the standard library that could become a shared symbol:
// the linker would keep one copy, maybe the one an older CPU cannot run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#define ALWAYS_INLINE inline __attribute__((always_inline))

namespace cmow::CMOW_LEVEL {

#if defined(__AVX512F__)
constexpr int WIDTH = 16;
constexpr int REGISTERS = 32;
#elif defined(__AVX2__)
constexpr int WIDTH = 8;
constexpr int REGISTERS = 16;
#elif defined(__aarch64__)
constexpr int WIDTH = 4;
constexpr int REGISTERS = 32;
#else
constexpr int WIDTH = 4;
constexpr int REGISTERS = 16;
#endif

// A half vector as the last one of a row saves padding where the level has a shorter register.
constexpr int HALF_WIDTH = WIDTH > 4 ? WIDTH / 2 : WIDTH;

typedef float Vector __attribute__((vector_size(4 * WIDTH)));
typedef float HalfVector __attribute__((vector_size(4 * HALF_WIDTH)));

template <class V>
inline V load(const float *from) {
    V v;
    std::memcpy(&v, from, sizeof v);
    return v;
}

template <class V>
inline void store(float *to, V v) {
    std::memcpy(to, &v, sizeof v);
}

template <class V>
inline V broadcast(float x) {
    V v = x - V{};  // x - 0 is x for every x, also -0: folds to a plain broadcast
#if defined(__AVX512F__)
    asm("" : "+v"(v));  // one broadcast for a whole row, not one inside every multiplication
#endif
    return v;
}

typedef float Four __attribute__((vector_size(16)));

// Numbers A..D of the eight in x and y.
template <int A, int B, int C, int D>
inline Four shuffle(Four x, Four y) {
#if defined(__clang__)
    return __builtin_shufflevector(x, y, A, B, C, D);
#else
    typedef int Choice __attribute__((vector_size(16)));
    return __builtin_shuffle(x, y, Choice{A, B, C, D});
#endif
}

inline HalfVector lower_half(Vector v) {
    HalfVector half;
    std::memcpy(&half, &v, sizeof half);
    return half;
}

// Memory that will be wanted soon, asked for piece by piece while other work runs: all at once
// would fill the queue of outstanding misses and hold up that work.
struct Ahead {
    const char *begin = nullptr, *end = nullptr;

    // Asks for the next of so many pieces.
    void fetch(int pieces) {
        const char *stop = begin + (end - begin + pieces - 1) / pieces;
        for (; begin < stop; begin += 64) __builtin_prefetch(begin);
    }
};

}  // namespace cmow::CMOW_LEVEL

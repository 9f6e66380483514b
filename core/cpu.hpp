// What an x86 CPU, and the system it runs, can do: asked of the CPU itself, since what compilers
// bring for it (__builtin_cpu_supports) is not in the libraries of every platform.
#pragma once

#include <cpuid.h>

#include <cstdint>

namespace cmow {

struct Cpu {
    bool avx2 = false;    // with FMA and conversions of half precision
    bool avx512 = false;  // F, DQ, BW and VL
    bool vnni = false;    // AVX-512's products of bytes
    bool zen4 = false;    // AMD's family 19h
};

namespace cpu_details {

// Which registers the system saves when it switches from one thread to another.
inline uint64_t saved_registers() {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return static_cast<uint64_t>(high) << 32 | low;
}

inline bool has(uint32_t word, int bit) { return word >> bit & 1; }

}  // namespace cpu_details

inline Cpu this_cpu() {
    using cpu_details::has;
    constexpr int FMA = 12, OSXSAVE = 27, F16C = 29;                  // of leaf 1, ecx
    constexpr int AVX2 = 5, AVX512F = 16, DQ = 17, BW = 30, VL = 31;  // of leaf 7, ebx
    constexpr int VNNI = 11;                                          // of leaf 7, ecx
    constexpr uint64_t AVX_SAVED = 0x6, AVX512_SAVED = 0xe6;          // registers
    constexpr uint32_t AMD = 0x68747541;                              // "Auth"enticAMD
    uint32_t highest, vendor, a, b, c, d, features, further, unused;
    Cpu cpu;
    __cpuid(0, highest, vendor, c, d);
    if (highest < 7) return cpu;
    __cpuid(1, a, b, c, d);
    const uint32_t family = (a >> 8 & 15) + (a >> 20 & 255);
    cpu.zen4 = vendor == AMD && family == 0x19;
    if (!has(c, OSXSAVE)) return cpu;
    const uint64_t saved = cpu_details::saved_registers();
    __cpuid_count(7, 0, unused, features, further, unused);
    cpu.avx2 =
        (saved & AVX_SAVED) == AVX_SAVED && has(c, FMA) && has(c, F16C) && has(features, AVX2);
    cpu.avx512 = cpu.avx2 && (saved & AVX512_SAVED) == AVX512_SAVED && has(features, AVX512F) &&
                 has(features, DQ) && has(features, BW) && has(features, VL);
    cpu.vnni = cpu.avx512 && has(further, VNNI);
    return cpu;
}

}  // namespace cmow

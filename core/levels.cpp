#include "levels.hpp"

#include <atomic>
#include <cstdlib>

#ifdef CMOW_HAS_avx2
#include "cpu.hpp"
#endif

namespace cmow {

namespace {

struct Level {
    const char *name;
    const Kernels *kernels;
    bool supported;
};

const std::vector<Level> &levels() {
    static const std::vector<Level> all = [] {
        std::vector<Level> found{{.name = "plain", .kernels = &plain::KERNELS, .supported = true}};
#ifdef CMOW_HAS_avx2
        const Cpu cpu = this_cpu();
        found.push_back({.name = "avx2", .kernels = &avx2::KERNELS, .supported = cpu.avx2});
        found.push_back({.name = "avx512", .kernels = &avx512::KERNELS, .supported = cpu.avx512});
#endif
#ifdef CMOW_HAS_neon
        found.push_back({.name = "neon", .kernels = &neon::KERNELS, .supported = true});
#endif
        return found;
    }();
    return all;
}

const Kernels &find(const std::string &name) {
    for (const Level &level : levels())
        if (level.name == name && level.supported) return *level.kernels;
    std::string known;
    for (const std::string &level : supported_levels()) known += " " + level;
    throw UnknownLevel("CMOW_LEVEL=" + name + " is not to be had on this CPU: choose from" + known);
}

std::atomic<const Kernels *> chosen{nullptr};

}  // namespace

std::vector<std::string> supported_levels() {
    std::vector<std::string> names;
    for (const Level &level : levels())
        if (level.supported) names.push_back(level.name);
    return names;
}

void use_level(const std::string &name) { chosen = &find(name); }

static std::string fastest_level() {
#ifdef CMOW_HAS_avx2
    // The AVX-512 of family 19h (Zen 4) splits every operation in two: shorter vectors waste less.
    if (const Cpu cpu = this_cpu(); cpu.zen4 && cpu.avx2) return "avx2";
#endif
    return supported_levels().back();
}

bool has_byte_products() {
#ifdef CMOW_HAS_avx2
    static const bool vnni = this_cpu().vnni;  // virtual machines are slow to answer
    return kernels().promising && vnni;
#else
    return false;
#endif
}

const Kernels &kernels() {
    if (!chosen) {
        const char *forced = std::getenv("CMOW_LEVEL");
        use_level(forced && *forced ? forced : fastest_level());
    }
    return *chosen;
}

}  // namespace cmow

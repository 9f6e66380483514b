#include "scan.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "parallel.hpp"

namespace cmow {

namespace {

float float_of(uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    if (exponent == 31) return INFINITY;
    return exponent ? std::ldexp(1024.0f + mantissa, exponent - 25)
                    : std::ldexp(static_cast<float>(mantissa), -24);
}

// The largest magnitude in a row; infinite where a number is not finite.
float largest_in_row(const Table &table, int64_t row) {
    const int64_t start = row * table.width;
    switch (table.storage) {
        case Storage::float32: {
            // As bits: magnitudes are ordered alike, with infinity and NaN above every number.
            // Signed, which every processor compares side by side, and several at a time, so that
            // comparisons need not wait for each other.
            constexpr int LANES = 16;
            const int32_t *bits = static_cast<const int32_t *>(table.rows) + start;
            int32_t most[LANES] = {};
            int i = 0;
            for (; i + LANES <= table.width; i += LANES)
                for (int j = 0; j < LANES; ++j)
                    most[j] = std::max(most[j], bits[i + j] & 0x7fffffff);
            for (; i < table.width; ++i) most[0] = std::max(most[0], bits[i] & 0x7fffffff);
            const int32_t highest = *std::max_element(most, most + LANES);
            float value;
            std::memcpy(&value, &highest, sizeof value);
            return std::isfinite(value) ? value : INFINITY;
        }
        case Storage::float16: {
            const uint16_t *bits = static_cast<const uint16_t *>(table.rows) + start;
            uint16_t most = 0;
            for (int i = 0; i < table.width; ++i)
                most = std::max<uint16_t>(most, bits[i] & 0x7fffu);
            return float_of(most);
        }
        default: {
            const float scale = std::fabs(table.scales[row]);
            const float most = table.storage == Storage::int8 ? 128 : 8;
            return std::isfinite(scale) ? scale * most : INFINITY;
        }
    }
}

void add_bad(Scan &scan, int64_t row) {
    if (row >= 0 && (scan.bad < 0 || row < scan.bad)) scan.bad = row;
}

}  // namespace

Scan scan(const Table &table, int threads) {
    std::vector<Scan> scans(std::max(threads, 1));
    parallel_for(table.count, 1024, threads, [&](int worker, int64_t begin, int64_t end) {
        Scan &mine = scans[worker];
        for (int64_t row = begin; row < end; ++row) {
            const float magnitude = largest_in_row(table, row);
            if (std::isinf(magnitude)) add_bad(mine, row);
            mine.smallest = std::min(mine.smallest, magnitude);
            mine.largest = std::max(mine.largest, magnitude);
        }
    });
    Scan all;
    for (const Scan &each : scans) {
        add_bad(all, each.bad);
        all.smallest = std::min(all.smallest, each.smallest);
        all.largest = std::max(all.largest, each.largest);
    }
    return all;
}

}  // namespace cmow

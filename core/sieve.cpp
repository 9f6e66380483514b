#include "sieve.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "levels.hpp"

namespace cmow {

namespace {

constexpr int WIDEST = 1 << 16;  // rows whose products of bytes surely fit into 32 bits

int quads_of(const Table &table) { return (table.width + 3) / 4; }

// Fewer queries than these are quicker without: int8 rows only change places, others are rounded.
int least_queries(const Table &table) { return table.storage == Storage::int8 ? 4 : 8; }

float norm_of(const float *numbers, int width) {
    double square = 0;
    for (int i = 0; i < width; ++i) square += static_cast<double>(numbers[i]) * numbers[i];
    return static_cast<float>(std::sqrt(square));
}

}  // namespace

bool Sieve::helps(const std::vector<SearchBlock> &blocks, int query_count) {
    return std::all_of(blocks.begin(), blocks.end(), [&](const SearchBlock &block) {
        if (is_few(query_count)) return block.errors != nullptr;
        return has_byte_products() && query_count >= least_queries(block.smallest()) &&
               block.table.width <= WIDEST;
    });
}

Sieve::Sieve(const std::vector<SearchBlock> &blocks, int query_count)
    : blocks_(blocks), query_count_(query_count) {
    if (is_few(query_count)) {
        for (const SearchBlock &block : blocks)
            padded_.emplace_back(block.queries, query_count, block.table.width);
        return;
    }
    packed_.resize(blocks.size());
    for (size_t b = 0; b < blocks.size(); ++b) {
        const int width = blocks[b].table.width, quads = quads_of(blocks[b].table);
        Packed &packed = packed_[b];
        packed.numbers.resize(static_cast<size_t>(query_count) * quads);
        for (int q = 0; q < query_count; ++q) {
            const float *const query = blocks[b].queries + static_cast<int64_t>(q) * width;
            double most = 0, square = 0;
            for (int i = 0; i < width; ++i) {
                most = std::max(most, std::abs(static_cast<double>(query[i])));
                square += static_cast<double>(query[i]) * query[i];
            }
            // A query with numbers that are none finds whatever it finds without a sieve.
            const bool usual = square > 1e-30 && square < 1e30;
            const double scale = usual ? most / 127 : 0;
            std::vector<int8_t> bytes(static_cast<size_t>(quads) * 4);
            double error = 0;
            int32_t sum = 0;
            for (int i = 0; usual && i < width; ++i) {
                bytes[i] = static_cast<int8_t>(std::lrint(query[i] / scale));
                sum += bytes[i];
                error += std::pow(query[i] - scale * bytes[i], 2);
            }
            std::memcpy(&packed.numbers[static_cast<size_t>(q) * quads], bytes.data(),
                        bytes.size());
            packed.starts.push_back(-128 * sum);
            packed.scales.push_back(static_cast<float>(scale));
            packed.norms.push_back(static_cast<float>(std::sqrt(square)));
            packed.errors.push_back(usual || square == 0 ? static_cast<float>(std::sqrt(error))
                                                         : std::numeric_limits<float>::infinity());
        }
        queries_.push_back({.numbers = packed.numbers.data(),
                            .starts = packed.starts.data(),
                            .scales = packed.scales.data(),
                            .errors = packed.errors.data(),
                            .norms = packed.norms.data(),
                            .quads = quads});
    }
}

Sieve::Worker::Worker(const Sieve &sieve) : sieve_(sieve), found_(sieve.query_count_) {
    if (is_few(sieve.query_count_)) {
        total_.resize(TILE * sieve.query_count_);
        part_.resize(TILE * sieve.query_count_);
        return;
    }
    size_t floats = 0;
    for (const SearchBlock &block : sieve.blocks_)
        floats += (quads_of(block.table) + 3) * ByteRows::COUNT;
    float *memory = memory_.floats(floats);
    for (const SearchBlock &block : sieve.blocks_) {
        const int numbers = quads_of(block.table) * ByteRows::COUNT;
        float *const measures = memory + numbers;
        rows_.push_back({.numbers = reinterpret_cast<uint8_t *>(memory),
                         .scales = measures,
                         .errors = measures + ByteRows::COUNT,
                         .norms = measures + 2 * ByteRows::COUNT});
        memory += numbers + 3 * ByteRows::COUNT;
    }
}

const std::vector<uint64_t> &Sieve::Worker::promising(int64_t first, int rows, const float *least) {
    if (is_few(sieve_.query_count_))
        compare(first, rows, least);
    else
        pack(first, rows, least);
    return found_;
}

void Sieve::Worker::pack(int64_t first, int rows, const float *least) {
    for (size_t b = 0; b < rows_.size(); ++b) {
        const SearchBlock &block = sieve_.blocks_[b];
        kernels().pack_rows(block.smallest(), block.errors, first, rows,
                            block.weights ? block.weights + first : nullptr, rows_[b]);
    }
    kernels().promising(rows_.data(), sieve_.queries_.data(), static_cast<int>(rows_.size()),
                        sieve_.query_count_, least, found_.data());
    if (rows < ByteRows::COUNT)
        for (uint64_t &bits : found_) bits &= (uint64_t{1} << rows) - 1;
}

void Sieve::Worker::compare(int64_t first, int rows, const float *least) {
    const int count = sieve_.query_count_;
    std::fill(total_.begin(), total_.end(), 0.0f);
    for (size_t b = 0; b < sieve_.blocks_.size(); ++b) {
        const SearchBlock &block = sieve_.blocks_[b];
        tile_scores(block.bytes, first, rows, sieve_.padded_[b], 0, count, part_.data());
        for (int q = 0; q < count; ++q) {
            const float norm = norm_of(sieve_.padded_[b][q], block.table.width);
            for (int r = 0; r < rows; ++r) {
                const float weight = block.weights ? block.weights[first + r] : 1;
                total_[q * rows + r] += weight * part_[q * rows + r] +
                                        std::abs(weight) * norm * block.errors[first + r];
            }
        }
    }
    for (int q = 0; q < count; ++q) {
        found_[q] = 0;
        for (int r = 0; r < rows; ++r)
            found_[q] |= static_cast<uint64_t>(!(total_[q * rows + r] < least[q])) << r;
    }
}

}  // namespace cmow

#include "sampling.hpp"

#include <algorithm>
#include <stdexcept>

#include "parallel.hpp"
#include "permutation.hpp"

namespace cmow {

namespace {

// Streams of the one seed. The epochs' permutations are streams of their own generator.
enum Stream : uint64_t { TRAINING, VALIDATION };

constexpr int64_t CHUNK = 32;  // sentences sampled at a time

// The place behind the last word so far, as windows tell it.
int32_t end_of(const Batch &batch) {
    if (batch.ids.size() > INT32_MAX)
        throw std::length_error(
            "the sentences of a batch have more than 2^31 words together: lower batch_sentences, "
            "or break the text into sentences");
    return static_cast<int32_t>(batch.ids.size());
}

}  // namespace

AliasTable::AliasTable(const double *weights, int64_t count) : cells_(count) {
    double total = 0;
    for (int64_t i = 0; i < count; ++i) total += weights[i];
    std::vector<double> share(count);
    std::vector<int32_t> poor, rich;
    for (int64_t i = count - 1; i >= 0; --i) {
        share[i] = weights[i] / total * static_cast<double>(count);
        (share[i] < 1 ? poor : rich).push_back(static_cast<int32_t>(i));
    }
    for (int64_t i = 0; i < count; ++i) cells_[i] = {UINT64_MAX, static_cast<int32_t>(i)};
    while (!poor.empty() && !rich.empty()) {
        const int32_t low = poor.back(), high = rich.back();
        poor.pop_back();
        cells_[low] = {static_cast<uint64_t>(share[low] * 0x1p64), high};
        share[high] -= 1 - share[low];
        if (share[high] < 1) {
            rich.pop_back();
            poor.push_back(high);
        }
    }
}

int32_t AliasTable::draw(Random &random) const {
    // The product's upper half chooses the cell, its lower half is uniform within the cell.
    const auto place = static_cast<unsigned __int128>(random.next()) * cells_.size();
    const int32_t cell = static_cast<int32_t>(place >> 64);
    return static_cast<uint64_t>(place) < cells_[cell].threshold ? cell : cells_[cell].other;
}

Sampler::Sampler(const Corpus &corpus, AliasTable noise, const float *keep,
                 SamplerSettings settings)
    : corpus_(corpus), noise_(std::move(noise)), keep_(keep), settings_(settings) {}

int64_t Sampler::validation_batches() const {
    return (settings_.validation_sentences + settings_.batch_sentences - 1) /
           settings_.batch_sentences;
}

Sampler::Draw Sampler::training_draw(int64_t position) const {
    const int64_t each = sentences_per_epoch(), epoch = position / each;
    const Permutation split(corpus_.sentences(), settings_.seed, 0);
    const Permutation order(each, settings_.seed, 1 + epoch);
    const int64_t sentence = split[settings_.validation_sentences + order[position % each]];
    return {sentence, TRAINING, static_cast<uint64_t>(position)};
}

NoiseBatch Sampler::batch(int64_t update, int threads, int rank, int world) const {
    const int64_t first = update * settings_.batch_sentences;
    const int64_t count = (settings_.batch_sentences - rank + world - 1) / world;
    return assemble(count, threads,
                    [&](int64_t slot) { return training_draw(first + rank + slot * world); });
}

NoiseBatch Sampler::validation_batch(int64_t index, int threads) const {
    const int64_t first = index * settings_.batch_sentences;
    const int64_t count =
        std::min<int64_t>(settings_.batch_sentences, settings_.validation_sentences - first);
    const Permutation split(corpus_.sentences(), settings_.seed, 0);
    return assemble(count, threads, [&](int64_t slot) {
        const uint64_t position = first + slot;
        return Draw{static_cast<int64_t>(split[position]), VALIDATION, position};
    });
}

template <class DrawOf>
NoiseBatch Sampler::assemble(int64_t count, int threads, const DrawOf &draw_of) const {
    std::vector<NoiseBatch> pieces((count + CHUNK - 1) / CHUNK);
    parallel_for(count, CHUNK, threads, [&](int, int64_t begin, int64_t end) {
        NoiseBatch &piece = pieces[begin / CHUNK];
        for (int64_t slot = begin; slot < end; ++slot) sample(draw_of(slot), piece);
    });
    NoiseBatch batch;
    batch.negatives_a_row = settings_.negatives;
    batch.shared_negatives = settings_.share_negatives;
    for (const NoiseBatch &piece : pieces) {
        const int32_t slot = static_cast<int32_t>(batch.sentences());
        const int32_t id = end_of(batch);
        const int64_t window = static_cast<int64_t>(batch.windows.size());
        for (const Window &w : piece.windows)
            batch.windows.push_back({w.sentence + slot, w.low + id, w.target + id, w.high + id});
        for (int64_t s = 1; s <= piece.sentences(); ++s) {
            batch.first_id.push_back(piece.first_id[s] + id);
            batch.first_window.push_back(piece.first_window[s] + window);
        }
        batch.ids.insert(batch.ids.end(), piece.ids.begin(), piece.ids.end());
        end_of(batch);
        batch.negatives.insert(batch.negatives.end(), piece.negatives.begin(),
                               piece.negatives.end());
    }
    return batch;
}

void Sampler::take_words(int64_t sentence, Random &random, std::vector<int32_t> &ids) const {
    const size_t first = ids.size();
    corpus_.append(sentence, ids);
    if (!keep_) return;
    const auto thinned = std::remove_if(ids.begin() + first, ids.end(), [&](int32_t id) {
        return !(random.uniform() < keep_[id]);
    });
    ids.erase(thinned, ids.end());
}

// Appends a sentence.
void Sampler::sample(const Draw &draw, NoiseBatch &batch) const {
    Random random(settings_.seed, draw.stream, draw.index);
    const int32_t slot = static_cast<int32_t>(batch.sentences());
    const int32_t first = end_of(batch);
    take_words(draw.sentence, random, batch.ids);
    const int32_t end = end_of(batch);
    int32_t wanted = end - first < 2 ? 0 : std::min(settings_.centres, end - first);
    for (int32_t centre = first; wanted > 0; ++centre) {
        // Of the words left, `wanted` become centers, each set of them with the same chance.
        if (static_cast<int32_t>(random.below(end - centre)) >= wanted) continue;
        --wanted;
        const int32_t low = std::max(first, centre - settings_.window);
        const int32_t high = std::min(end, centre + settings_.window + 1);
        const int32_t target =
            settings_.random_target ? low + static_cast<int32_t>(random.below(high - low)) : centre;
        batch.windows.push_back({slot, low, target, high});
        if (!settings_.share_negatives)
            for (int i = 0; i < settings_.negatives; ++i)
                batch.negatives.push_back(noise_.draw(random));
    }
    if (settings_.share_negatives)
        for (int i = 0; i < settings_.negatives; ++i)
            batch.negatives.push_back(noise_.draw(random));
    batch.first_id.push_back(end);
    batch.first_window.push_back(static_cast<int64_t>(batch.windows.size()));
}

}  // namespace cmow

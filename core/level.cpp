#include "level.hpp"

#define CMOW_QUOTE(name) #name
#define CMOW_NAME(name) CMOW_QUOTE(name)

namespace cmow::CMOW_LEVEL {

const Kernels KERNELS{
    .level = CMOW_NAME(CMOW_LEVEL),
    .parts = PARTS,
    .compose_memory = compose_memory,
    .compose = compose,
    .finish = finish,
    .train_memory = train_memory,
    .forward = forward,
    .backward = backward,
    .dots = dots,
    .combine = combine,
    .narrow = narrow,
    .scale = scale,
    .logistic_loss = logistic_loss,
    .sum_contributions = sum_contributions,
    .adam = adam,
    .scores = scores,
#if defined(__AVX512F__)
    .pack_rows = pack_rows,
    .promising = promising,
#else
    .pack_rows = nullptr,
    .promising = nullptr,
#endif
    .multiply_adds = multiply_adds,
    .read_memory = read_memory,
};

}  // namespace cmow::CMOW_LEVEL

// The functions of one instruction level, each in its own file; level.cpp makes the table of them.
#pragma once

#include "kernels.hpp"

namespace cmow::CMOW_LEVEL {

size_t compose_scratch(const Part *parts, int count);
int64_t compose(const Part *parts, int count, Sequences sequences, int64_t begin, int64_t end,
                Normalize normalize, float *out, int dim, float *scratch);
size_t step_scratch(const Model &model, const SentenceStep &step);
double step(const Model &model, const SentenceStep &step, float *scratch);
void sum_contributions(Contributions contributions, int width, float *gradient);
void adam(const AdamStep &step, const float *gradient, int width, float *row, float *first,
          float *second);
double multiply_adds(int64_t rounds, float *sink);
double read_memory(const float *memory, int64_t count, float *sink);

}  // namespace cmow::CMOW_LEVEL

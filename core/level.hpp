// The functions of one instruction level; level.cpp makes the table of them.
#pragma once

#include "kernels.hpp"

namespace cmow::CMOW_LEVEL {

extern const PartKernels PARTS[];

ComposeMemory compose_memory;
Compose compose;
Finish finish;
TrainMemory train_memory;
Forward forward;
Backward backward;
Dots dots;
Combine combine;
Narrow narrow;
Scale scale;
LogisticLoss logistic_loss;
SumContributions sum_contributions;
AdamUpdate adam;
Scores scores;
#if defined(__AVX512F__)
PackRows pack_rows;
Promising promising;
#endif
MultiplyAdds multiply_adds;
ReadMemory read_memory;

}  // namespace cmow::CMOW_LEVEL

"""Settings for all tests of training."""

import torch

# The tensors are tiny: more threads would only wait for one another.
torch.set_num_threads(1)

"""The space that is learned: the teacher's, turned so that the first numbers say most."""

import numpy as np
from numpy.typing import NDArray

from cmow.arrays import Embeddings, Floats
from cmow.distillation.teacher import unit

SAMPLE = 100_000  # vectors that the axes are found by
BLOCK = 65_536


def principal_axes(vectors: Embeddings, dimensions: int) -> Floats:
    """A column for each of the directions that most of the vectors' length lies in."""
    sample = np.asarray(vectors[:: -(-len(vectors) // SAMPLE)], np.float64)
    _, axes = np.linalg.eigh(sample.T @ sample)
    axes = axes[:, ::-1][:, :dimensions]
    signs = np.sign(axes[np.abs(axes).argmax(axis=0), np.arange(axes.shape[1])])
    turned: Floats = (axes * signs).astype(np.float32)  # else they are as the library likes
    return turned


def turn(vectors: Embeddings, axes: Floats) -> NDArray[np.float16]:
    """The unit vectors in the space of the axes."""
    turned = np.empty((len(vectors), axes.shape[1]), np.float16)
    for start in range(0, len(vectors), BLOCK):
        some = slice(start, start + BLOCK)
        turned[some] = unit(np.asarray(vectors[some], np.float32) @ axes)
    return turned

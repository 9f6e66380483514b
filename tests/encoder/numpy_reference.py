"""What the encoder must compute, in ten lines of NumPy with double precision."""

import numpy as np


def reference(parts, texts):
    """The embeddings of lists of ids, not normalised."""
    return np.array([np.concatenate([compose(part, ids) for part in parts]) for ids in texts])


def compose(part, ids):
    rows = part.rows().astype(np.float64)
    if part.composition == "sum":
        return sum((rows[i] for i in ids), np.zeros(part.size))
    product = np.eye(part.size)
    for i in ids:
        product = product @ rows[i].reshape(part.size, part.size).T
    return product.T.ravel()

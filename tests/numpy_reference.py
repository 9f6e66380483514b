"""What the encoder must compute, word for word, in NumPy with double precision."""

import numpy as np


def reference(parts, texts):
    """The embeddings of lists of ids, not normalized."""
    return np.array([np.concatenate([compose(part, ids) for part in parts]) for ids in texts])


def compose(part, ids):
    rows = part.rows().astype(np.float64)
    of_kind = KINDS[part.monoid.kind]
    composed = of_kind(part.monoid, [rows[i] for i in ids])
    if not part.shape.mean:
        return composed
    return (composed - of_kind(part.monoid, [])) / max(len(ids), 1)


def sum_of(monoid, rows):
    return sum(rows, np.zeros(monoid.size))


def product_of(monoid, rows):
    product = np.eye(monoid.size)
    for row in rows:
        product = product @ matrix(monoid, row)
    return product.T.ravel()


def reversed_of(monoid, rows):
    return product_of(monoid, rows[::-1])


def windows_of(monoid, rows):
    """Every run of words, one by one."""
    total = np.zeros((monoid.size, monoid.size))
    for start in range(len(rows)):
        run = np.eye(monoid.size)
        for further, row in enumerate(rows[start:]):
            run = run @ matrix(monoid, row)
            total += monoid.decay**further * run
    return total.T.ravel()


def matrix(monoid, row):
    return row.reshape(monoid.size, monoid.size).T


KINDS = {
    "sum": sum_of,
    "product": product_of,
    "reversed": reversed_of,
    "windows": windows_of,
}

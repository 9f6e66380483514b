"""A program: every instruction level learns and encodes what plain code does, but for rounding."""

import numpy as np

import cmow
from cmow import TrainConfig, _core
from cmow.paper.grammar import Grammar

SHAPES = [
    "sum(40)+product(5)",
    "mean(sum(33))+mean(product(8))",
    "reversed(7)+windows(6)",
    "product(20)",
]
SETTINGS = {
    "max_updates": 5,
    "learning_rate": 1e-3,
    "sigma": 0.1,
    "batch_sentences": 64,
    "stop_by": "training",
    "validation_share": 0.0,
    "threads": 1,
}


def results(level: str, texts: list[str]) -> list[np.ndarray]:
    """Tables after some updates, and embeddings by them."""
    _core.use_level(level)
    found = []
    for shape in SHAPES:
        for adam, share in (("dense", "window"), ("lazy", "sentence")):
            config = TrainConfig(shape=shape, adam=adam, share_negatives=share, **SETTINGS)
            encoder = cmow.train(texts, config)
            found += [part.table for part in encoder.parts]
            found.append(encoder.encode(texts[:200], threads=1))
    return found


def main() -> None:
    """Compare all levels with the plain one."""
    texts = [sentence.text for sentence in Grammar().sentences(2000)]
    plain, *others = _core.levels()
    expected = results(plain, texts)
    for level in others:
        for one, other in zip(expected, results(level, texts), strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-4, err_msg=level)
    print(f"{', '.join(others)} agree with {plain}")  # noqa: T201


if __name__ == "__main__":
    main()

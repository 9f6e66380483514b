"""Small labeled texts: who chased whom decides, which a bag of words cannot tell."""

import numpy as np

ANIMALS = ("cat", "dog", "fox", "hen", "cow", "owl")
SHAPE = "mean(sum(8))+mean(product(4))"
QUICK = {
    "start": None,
    "shape": SHAPE,
    "learning_rate": 0.02,
    "threads": 1,
    "word_dropout": 0.0,
}


def chases(count, seed=0):
    """Texts, and whether the cat is the hunter, the hunted, or neither."""
    generator = np.random.default_rng(seed)
    texts, labels = [], []
    for _ in range(count):
        hunter, hunted = generator.choice(ANIMALS[:3], 2, replace=False)
        texts.append(f"the {hunter} chased the {hunted}")
        labels.append("hunter" if hunter == "cat" else "hunted" if hunted == "cat" else "none")
    return texts, labels

"""Draws the pictures of the documentation: cd docs/pictures && python make.py."""

import math
from itertools import pairwise

import matplotlib.pyplot as plt
import numpy as np
from drawing import INK, NEUTRAL, PALE, PRODUCT, SUM, arrow, box, canvas, heat, line, save, sign

import cmow
from cmow.encoder.caching import cache_ngrams
from cmow.encoder.ngrams import spell
from cmow.paper.grammar import Grammar
from cmow.text import Vocabulary

ONE, OTHER = "the dog chased the cat", "the cat chased the dog"
VECTOR, MATRIX = 100, 10
TEXTS = [sentence.text for sentence in Grammar().sentences(4000)]


def trained() -> cmow.Encoder:
    """A small model."""
    shape = f"sum({VECTOR})+product({MATRIX})"
    # A start far from the identity, so that the eye sees differences after so short a training.
    config = cmow.TrainConfig(
        shape=shape,
        max_updates=60,
        learning_rate=0.01,
        product_rate=1.0,
        sigma=0.1,
        noise_exponent=0.75,
    )
    return cmow.train(TEXTS, config)


def rows_of(encoder: cmow.Encoder, text: str) -> tuple[list[str], np.ndarray, np.ndarray]:
    """The words of a text, their vectors and their matrices."""
    words = text.split()
    numbers = np.array([encoder.vocabulary.index(word) for word in words], np.int32)
    vectors, rows = (part.rows(numbers) for part in encoder.parts)
    return words, vectors, rows.reshape(-1, MATRIX, MATRIX).transpose(0, 2, 1)


def draw_words(encoder: cmow.Encoder) -> None:
    """A sentence as a sum of vectors and as a product of matrices, less the identity."""
    words, vectors, matrices = rows_of(encoder, ONE)
    deviations = matrices - np.eye(MATRIX)
    total, row = np.split(encoder.encode([ONE])[0], [VECTOR])
    product = row.reshape(MATRIX, MATRIX).T - np.eye(MATRIX)
    with canvas("words", 9, 3.9) as axes:
        for place, word in enumerate(words):
            left = 0.55 + 1.25 * place
            axes.text(left + 0.45, 3.6, word, ha="center", fontsize=13)
            heat(axes, vectors[place].reshape(4, 25), (left, 2.75, 0.9, 0.5), vectors)
            heat(axes, deviations[place], (left, 1.15, 0.9, 0.9), deviations)
            if place:
                sign(axes, left - 0.17, 3.0, "+", SUM)
                sign(axes, left - 0.17, 1.6, "·", PRODUCT)
        heat(axes, total.reshape(4, 25), (7.4, 2.75, 0.9, 0.5), total)
        heat(axes, product, (7.4, 1.15, 0.9, 0.9), product)
        for y, color, name in ((3.0, SUM, "sum"), (1.6, PRODUCT, "product")):
            sign(axes, 6.95, y, "=", color)
            axes.text(8.4, y, name, va="center", color=color)
        heat(axes, total[None], (0.55, 0.35, 3.875, 0.3), total)
        heat(axes, product.T.reshape(1, -1), (4.425, 0.35, 3.875, 0.3), product)
        note = "the embedding: the sum, then the product column by column"
        axes.text(0.55, 0.1, note, fontsize=10)


def draw_order(encoder: cmow.Encoder) -> None:
    """The same words in another order: what changes in the sum and in the product."""
    embeddings = encoder.encode([ONE, OTHER])
    embeddings[:, VECTOR:] -= np.eye(MATRIX).ravel()
    columns = {
        ONE: embeddings[0],
        OTHER: embeddings[1],
        "difference": embeddings[1] - embeddings[0],
    }
    sums, products = np.split(embeddings, [VECTOR], axis=1)
    with canvas("order", 8.2, 4.6) as axes:
        for place, (title, embedding) in enumerate(columns.items()):
            left = 1.1 + 2.4 * place
            total, row = np.split(embedding, [VECTOR])
            axes.text(left + 0.9, 4.35, title, ha="center")
            heat(axes, total.reshape(10, 10), (left, 2.35, 1.8, 1.8), sums)
            heat(axes, row.reshape(MATRIX, MATRIX).T, (left, 0.3, 1.8, 1.8), products)
        for y, color, name in ((3.25, SUM, "sum"), (1.2, PRODUCT, "product")):
            axes.text(0.9, y, name, ha="right", va="center", color=color, fontsize=13)


def draw_steps(encoder: cmow.Encoder) -> None:
    """One product after the other, and a tree with padding."""
    words, _, matrices = rows_of(encoder, "the dog chased the old cat")
    chain = matrices[0]
    for matrix in matrices[1:]:
        chain = chain @ matrix
    padded = np.concatenate([matrices, np.stack([np.eye(MATRIX, dtype=np.float32)] * 2)])
    while len(padded) > 1:
        padded = padded[0::2] @ padded[1::2]
    difference = np.abs(padded[0] - chain).max()
    labels = [*words, "I", "I"]
    with canvas("steps", 10, 4.3) as axes:
        _draw_chain(axes, words)
        level = [5.35 + 0.57 * place for place in range(8)]
        for x, label in zip(level, labels, strict=True):
            color = NEUTRAL if label == "I" else PRODUCT
            box(axes, x, 0.75, label, width=0.53, height=0.36, color=color, size=8)
        y = 0.75
        while len(level) > 1:
            above = [
                (left + right) / 2 for left, right in zip(level[0::2], level[1::2], strict=True)
            ]
            for place, x in enumerate(level):
                line(axes, (x, y), (above[place // 2], y + 0.85), NEUTRAL)
            for x in above:
                box(
                    axes,
                    x,
                    y + 0.85,
                    "·",
                    width=0.36,
                    height=0.36,
                    color=PRODUCT,
                    fill=PALE,
                    size=14,
                )
            level, y = above, y + 0.85
        axes.text(7.35, 3.9, f"as a tree: {round(math.log2(8))} steps", ha="center", fontsize=12)
        note = f"I is the identity, as padding; the two results differ by {difference:.0e} at most"
        axes.text(5, 0.15, note, ha="center", fontsize=10, color=INK)


def _draw_chain(axes: plt.Axes, words: list[str]) -> None:
    before = (0.5, 0.75)
    for place, word in enumerate(words):
        x = 0.5 + 0.66 * place
        box(axes, x, 0.75, word, width=0.6, height=0.36, color=PRODUCT, size=8)
        if place:
            y = 0.75 + 0.5 * place
            line(axes, before, (x - 0.05, y), NEUTRAL)
            line(axes, (x, 0.75), (x, y), NEUTRAL)
            box(axes, x, y, "·", width=0.36, height=0.3, color=PRODUCT, fill=PALE, size=14)
            before = (x, y)
    axes.text(2.2, 3.9, f"one after the other: {len(words) - 1} steps", ha="center", fontsize=12)


def draw_cache(encoder: cmow.Encoder) -> None:
    """A sentence read with ready-made products of frequent n-grams."""
    ngrams = cache_ngrams(encoder.tokenizer, encoder.parts, TEXTS, megabytes=0.4)
    flat, offsets = spell(ngrams.nodes, words=len(encoder.vocabulary))
    names = [encoder.vocabulary.words[number] for number in flat]
    known = {tuple(names[a:b]) for a, b in pairwise(offsets)}
    text = max(TEXTS, key=lambda text: _saved(text.split(), known))
    pieces = _read(text.split(), known)
    with canvas("cache", 10, 1.75) as axes:
        x, unit = 0.2, 9.6 / (len(text) + 2 * len(pieces))
        for piece in pieces:
            width = unit * (len(" ".join(piece)) + 1.4)
            color = PRODUCT if len(piece) > 1 else NEUTRAL
            fill = "#e0f2f1" if len(piece) > 1 else "white"
            box(
                axes,
                x + width / 2,
                1.2,
                " ".join(piece),
                width=width,
                color=color,
                fill=fill,
                size=9.5,
            )
            x += width + 0.6 * unit
        plain, left = len(text.split()) - 1, len(pieces) - 1
        note = (
            f"{len(ngrams):,} n-grams of 4,000 sentences are kept: {left} products "
            f"instead of {plain} (a sentence chosen because it shows the effect well)"
        )
        axes.text(5, 0.5, note, ha="center", fontsize=10)


def _read(words: list[str], known: set[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The words grouped from left to right, the longest known n-gram each time."""
    pieces: list[tuple[str, ...]] = []
    for word in words:
        if pieces and (*pieces[-1], word) in known:
            pieces[-1] = (*pieces[-1], word)
        else:
            pieces.append((word,))
    return pieces


def _saved(words: list[str], known: set[tuple[str, ...]]) -> float:
    """The share of multiplications that is saved, of sentences that fit the picture."""
    fits = 9 <= len(words) <= 13
    return (len(words) - len(_read(words, known))) / len(words) if fits else 0


def draw_values() -> None:
    """The size of a product against its length, by initialisation."""
    lengths, count, words = range(1, 41), 200, 1000
    generator = np.random.default_rng(0)
    vocabulary = Vocabulary([f"w{number}" for number in range(words)])
    figure, axes = plt.subplots(figsize=(7, 3.6))
    names = {"identity": "identity + N(0, 0.1)", "glorot": "Glorot", "normal": "N(0, 0.1)"}
    for (kind, name), color in zip(names.items(), (PRODUCT, SUM, NEUTRAL), strict=True):
        encoder = cmow.Encoder.initialise(vocabulary, "product(20)", kind, sigma=0.1)
        means = [
            np.abs(encoder.encode_ids(generator.integers(0, words, (count, length)))).mean()
            for length in lengths
        ]
        axes.plot(lengths, means, color=color, linewidth=2)
        axes.text(26, means[25] * 30, name, color=color)
    axes.set(yscale="log", xlabel="words", ylabel="mean absolute value", ylim=(1e-30, 1e6))
    figure.tight_layout()
    save("values")


def draw_architecture() -> None:
    """The rooms of the house and what passes between them."""
    rooms = {
        "text/": (1.1, "strings to ids"),
        "corpus/": (3.35, "files to ids\non disk"),
        "training/": (5.6, "objectives/\nengines/"),
        "encoder/": (8.05, "parts/"),
        "evaluation/": (10.5, "tasks, tables"),
    }
    passes = ("tokenizer", "ids,\noffsets", "model\nfolder", "embed-\ndings")
    core = {
        2.2: "words: split,\ncount, look up",
        5.6: "sampling,\nobjectives/, Adam",
        8.05: "parts/:\nforward, backward",
    }
    with canvas("architecture", 11.6, 5.5) as axes:
        _bar(axes, 5.05, "cli/", "one file a command")
        _bar(axes, 4.35, "paper/", "the laboratory: grammar/, probing/, demo/, reproduction/")
        for name, (x, about) in rooms.items():
            box(axes, x, 2.85, "", width=1.65, height=1.1, color=PRODUCT)
            axes.text(x, 3.15, name, ha="center", va="center", weight="bold", fontsize=12)
            axes.text(x, 2.68, about, ha="center", va="center", fontsize=9.5)
        places = [x for x, _ in rooms.values()]
        for (left, right), what in zip(pairwise(places), passes, strict=True):
            arrow(axes, (left + 0.83, 2.85), (right - 0.83, 2.85))
            middle = (left + right) / 2
            axes.text(middle, 3.65, what, ha="center", va="center", fontsize=8.5, color=SUM)
        box(axes, 6.83, 1.72, "torch", width=0.9, height=0.36, color=PRODUCT, size=10)
        for x, place in ((6.6, 6.1), (7.06, 7.55)):
            line(axes, (x, 1.9), (place, 2.3), NEUTRAL)
        box(axes, 4.67, 0.85, "", width=9.04, height=0.8, color=INK, fill=PALE)
        axes.text(0.3, 0.85, "core/", va="center", weight="bold", fontsize=12)
        for x, about in core.items():
            axes.text(x, 0.85, about, ha="center", va="center", fontsize=9.5)
        for x in places[:-1]:
            arrow(axes, (x, 1.25), (x, 2.3), color=NEUTRAL)
        note = "Data goes from left to right only; a room knows none that is above it."
        axes.text(0.15, 0.15, note, fontsize=10)


def _bar(axes: plt.Axes, y: float, name: str, about: str) -> None:
    box(axes, 5.8, y, "", width=11.3, height=0.5, color=NEUTRAL)
    axes.text(0.3, y, name, va="center", weight="bold", fontsize=12)
    axes.text(1.25, y, about, va="center", fontsize=9.5)


if __name__ == "__main__":
    model = trained()
    for draw in (draw_words, draw_order, draw_steps, draw_cache):
        draw(model)
    draw_values()
    draw_architecture()

"""Why a text got its label: what the score loses if words are left out.

A text without a word is what stands before it, composed with what stands behind it: all prefixes
and suffixes together take two compositions a word. Of sums the result is exact: contributions add
up to the score. Of products, what two neighbors do together is more than what each does alone.
"""

import html
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cmow.arrays import Doubles
from cmow.classification.data import Label
from cmow.classification.fitting import Head
from cmow.classification.labels import Labels
from cmow.encoder import Encoder, Part
from cmow.errors import ConfigError

BAR = 20  # characters of the longest one
RED, GREEN = (214, 70, 60), (60, 150, 80)


@dataclass(frozen=True, eq=False)
class Explanation:
    """What the words of a text contribute to the score of a label.

    :param label: of scores there is none
    :param score: of classes, by how much it is above the mean of all classes'
    :param words: those that the encoder knows
    :param contributions: what the score would lose without each word
    :param together: what it would lose beyond that without a word and the next
    """

    label: Label | None
    score: float
    words: tuple[str, ...]
    contributions: Doubles
    together: Doubles

    def lines(self) -> Iterator[str]:
        """A word a line with a bar, and below it what it does together with the next, if much."""
        shown = "score" if self.label is None else f"label {self.label}, score"
        yield f"{shown} {self.score:+.3f}"
        width = max(map(len, self.words), default=0)
        largest = self._largest()
        for number, word in enumerate(self.words):
            yield f"{word:<{width}} {_bar(self.contributions[number], largest)}"
            if number < len(self.together) and abs(self.together[number]) > largest / 10:
                yield f"{'+ next':>{width}} {_bar(self.together[number], largest)}"

    def html(self) -> str:
        """The text, its words colored by what they contribute, underlined with the next."""
        largest = self._largest()
        pieces = []
        for number, word in enumerate(self.words):
            tip = f"{self.contributions[number]:+.3f}"
            if number < len(self.together):
                tip += f", with the next {self.together[number]:+.3f}"
            style = f"background: {_colour(self.contributions[number], largest)}"
            pieces.append(f'<span style="{style}" title="{tip}">{html.escape(word)}</span>')
            if number < len(self.together):
                line = _colour(self.together[number], largest)
                pieces.append(f'<span style="border-bottom: 3px solid {line}">&nbsp;</span>')
        label = "" if self.label is None else f"{html.escape(str(self.label))} "
        return f"<p><b>{label}{self.score:+.3f}</b>: {''.join(pieces)}</p>\n"

    def _largest(self) -> float:
        both = np.abs(np.concatenate([self.contributions, self.together]))
        return float(both.max(initial=0)) or 1.0


def explain(encoder: Encoder, head: Head, labels: Labels, text: str, label: Any) -> Explanation:
    """What the words of a text contribute to the score of a label."""
    if labels.pairs:
        raise ConfigError("only single texts can be explained, not pairs")
    ids = encoder.tokenizer.ids([text]).flat
    chosen, weights, offset = _direction(head, labels, encoder.encode([text]), label)
    words = tuple(encoder.vocabulary.words[number] for number in ids)
    alone, pairs, score, begin = np.zeros(len(ids)), np.zeros(max(len(ids) - 1, 0)), offset, 0
    for part in encoder.parts:
        some = weights[begin : begin + part.width]
        begin += part.width
        whole, ones, twos = _left_out(part, ids, some)
        score += whole
        alone += whole - ones
        pairs += whole - twos
    together = pairs - alone[:-1] - alone[1:] if len(ids) else pairs
    return Explanation(chosen, score, words, alone, together)


def _direction(
    head: Head, labels: Labels, embedding: Any, label: Any
) -> tuple[Label | None, Doubles, float]:
    """The label, and the weights and the bias of its score."""
    matrix, bias = head.matrix.astype(np.float64), head.bias.astype(np.float64)
    if labels.task == "score":
        return None, matrix[0] * labels.spread, float(bias[0]) * labels.spread + labels.centre
    if label is not None and label not in labels.classes:
        raise ConfigError(f"no label {label!r}: there is {', '.join(map(str, labels.classes))}")
    number = int(head.scores(embedding)[0].argmax())
    if label is not None:
        number = labels.classes.index(label)
    if labels.task == "class":  # all scores may rise together: only the distance counts
        matrix, bias = matrix - matrix.mean(axis=0), bias - bias.mean()
    return labels.classes[number], matrix[number], float(bias[number])


def _left_out(part: Part, ids: Any, weights: Doubles) -> tuple[float, Doubles, Doubles]:
    """The score of a text, of the text without each word, and without each two neighbors."""
    shape, count = part.shape, len(ids)
    elements = shape.lift(part.rows(ids).astype(np.float64))
    neutral = shape.neutral().astype(np.float64)
    before, behind = [neutral], [neutral]
    for number in range(count):
        before.append(shape.compose(before[-1], elements[number]))
        behind.append(shape.compose(elements[count - 1 - number], behind[-1]))
    behind.reverse()

    def scores(gap: int) -> Doubles:
        found = [shape.compose(a, b) for a, b in zip(before, behind[gap:], strict=False)]
        rows = np.stack(found) if found else np.zeros((0, len(neutral)))
        if shape.mean:  # over as many words as the text has, so that shares add up
            rows[:, -1] = count
        result: Doubles = shape.view(rows) @ weights
        return result

    return float(scores(0)[-1]), scores(1), scores(2)


def _bar(value: float, largest: float) -> str:
    length = round(BAR * abs(value) / largest)
    return f"{value:+.3f} {('+' if value > 0 else '-') * length}".rstrip()


def _colour(value: float, largest: float) -> str:
    strength = abs(value) / largest
    red, green, blue = GREEN if value > 0 else RED
    return f"rgba({red}, {green}, {blue}, {strength:.2f})"


def explanation_page(explanations: Sequence[Explanation]) -> str:
    """All of them as a page."""
    body = "".join(each.html() for each in explanations)
    style = "body { font: 16px/2 sans-serif; max-width: 50em; margin: 2em auto }"
    return f'<!doctype html>\n<meta charset="utf-8">\n<style>{style}</style>\n{body}'

"""Explanations: exact for sums, and of products what leaving words out changes."""

from itertools import pairwise

import numpy as np
import pytest
from labelled import QUICK, chases

from cmow import Classifier
from cmow.classification import explanation_page
from cmow.errors import ConfigError

TEXT = "the cat chased the dog"
SHAPES = [
    "sum(6)",
    "mean(sum(6))",
    "product(3)",
    "sum(4)+mean(product(3))+windows(3)",
    "reversed(3)+mean(windows(3))",
]


def fitted(shape):
    return Classifier(**{**QUICK, "shape": shape, "epochs": 2.0}).fit(*chases(100))


def margin(classifier, text, count=None):
    """The score of the first class above the mean of all.

    :param count: of words that means are taken over
    """
    ids = classifier.encoder_.tokenizer.ids([text]).flat
    views = []
    for part in classifier.encoder_.parts:
        element = part.shape.neutral().astype(np.float64)
        for row in part.rows(ids):
            element = part.shape.compose(element, part.shape.lift(row.astype(np.float64)))
        if part.shape.mean and count is not None:
            element[-1] = count
        views.append(part.shape.view(element))
    scores = classifier.head_.matrix @ np.concatenate(views) + classifier.head_.bias
    return scores[0] - scores.mean()


@pytest.mark.parametrize("shape", SHAPES)
def test_contributions_are_what_leaving_words_out_changes(shape):
    classifier = fitted(shape)
    words = TEXT.split()
    explanation = classifier.explain(TEXT, "hunted")
    assert explanation.words == tuple(words)
    assert explanation.score == pytest.approx(margin(classifier, TEXT), rel=1e-5)

    def without(*left_out):
        rest = " ".join(word for place, word in enumerate(words) if place not in left_out)
        return margin(classifier, TEXT) - margin(classifier, rest, count=len(words))

    alone = [without(place) for place in range(5)]
    np.testing.assert_allclose(explanation.contributions, alone, atol=1e-6)
    both = [without(a, b) - alone[a] - alone[b] for a, b in pairwise(range(5))]
    np.testing.assert_allclose(explanation.together, both, atol=1e-6)


@pytest.mark.parametrize("shape", SHAPES[:2])
def test_of_sums_contributions_add_up_to_the_score(shape):
    classifier = fitted(shape)
    explanation = classifier.explain(TEXT)
    assert explanation.label == classifier.predict([TEXT])[0]
    number = classifier.classes_.tolist().index(explanation.label)
    bias = classifier.head_.bias[number] - classifier.head_.bias.mean()
    assert explanation.contributions.sum() + bias == pytest.approx(explanation.score, rel=1e-5)
    np.testing.assert_allclose(explanation.together, 0, atol=1e-7)


def test_it_is_drawn_in_text_and_in_html():
    classifier = Classifier(**QUICK).fit(*chases(600))
    explanation = classifier.explain("<b> the cat chased the dog")
    first, *lines = explanation.lines()
    assert first.startswith("label hunter, score +")
    assert sum(line.startswith("cat") for line in lines) == 1
    assert any("+ next" in line for line in lines)
    page = explanation_page([explanation])
    assert page.count("<span") == 2 * len(explanation.words) - 1
    nothing = classifier.explain("", "hunted")
    assert nothing.words == ()
    assert len(list(nothing.lines())) == 1
    assert "<p>" in nothing.html()
    assert len(list(classifier.explain("cat").lines())) == 2


def test_what_cannot_be_explained_is_refused():
    classifier = fitted("sum(4)")
    with pytest.raises(ConfigError, match="no label 'z': there is hunted"):
        classifier.explain(TEXT, "z")
    pairs = Classifier(**QUICK).fit([("cat", "dog"), ("dog", "dog")] * 20, ["x", "y"] * 20)
    with pytest.raises(ConfigError, match="only single texts"):
        pairs.explain(TEXT)

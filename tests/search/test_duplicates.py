"""Near-duplicates: clusters of texts, as comparing all with all finds them."""

import numpy as np
import pytest
from travel_words import WORDS

from cmow.errors import ConfigError
from cmow.search import find_duplicates

DRAWN = np.random.default_rng(0)
TEXTS = [" ".join(DRAWN.choice(WORDS, DRAWN.integers(1, 5))) for _ in range(600)]


@pytest.mark.parametrize("threshold", [0.9, 1])
def test_clusters_are_those_of_all_pairs(hybrid, threshold):
    texts = [*TEXTS, "unheard", "unheard"]
    reached = hybrid.similarity(TEXTS, TEXTS) >= threshold - 1e-3
    for _ in range(8):
        reached = reached @ reached
    labels = reached.argmax(1)
    expected = [
        [TEXTS[row] for row in np.flatnonzero(labels == label)] for label in np.unique(labels)
    ]
    found: dict[int, list[str]] = {}
    for each in find_duplicates(hybrid, texts, threshold=threshold):
        found.setdefault(each.cluster, []).append(each.entry.text)
        first = found[each.cluster][0]
        cosine = hybrid.similarity(first, each.entry.text)
        assert each.similarity == pytest.approx(cosine, abs=2e-3)
    assert list(found) == list(range(1, len(found) + 1))
    assert list(found.values()) == [some for some in expected if len(some) > 1]


def test_nothing_to_compare(hybrid):
    for texts in ([], ["man"], ["unheard", "of"]):
        assert list(find_duplicates(hybrid, texts)) == []
    for threshold in (0, 1.5):
        with pytest.raises(ConfigError, match="threshold must be above 0"):
            find_duplicates(hybrid, TEXTS, threshold=threshold)

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from cmow.paper.grammar.draws import Draws
from cmow.paper.probing.allocation import Candidate, allocate

SIZES = {"tr": 60, "va": 12, "te": 12}

candidates = st.lists(
    st.tuples(st.sampled_from("AB"), st.sampled_from(["", *"abcdefghijklmnop"])), max_size=300
).map(
    lambda pairs: [
        Candidate(label, f"sentence {number}", target)
        for number, (label, target) in enumerate(pairs)
    ]
)


@settings(max_examples=200)
@given(candidates, st.integers(0, 1000))
def test_splits_are_balanced_and_disjoint(given_candidates, seed):
    splits = allocate(given_candidates, SIZES, Draws(seed))
    homes: dict[str, set[str]] = {}
    for split, chosen in splits.items():
        assert len(chosen) <= SIZES[split]
        counts = Counter(candidate.label for candidate in chosen)
        assert not chosen or abs(counts["A"] - counts["B"]) <= 1
        for candidate in chosen:
            homes.setdefault(candidate.target, set()).add(split)
    texts = [candidate.text for chosen in splits.values() for candidate in chosen]
    assert len(texts) == len(set(texts))
    assert all(len(found) == 1 for target, found in homes.items() if target)
    assert splits == allocate(given_candidates, SIZES, Draws(seed))


def test_sizes_are_met_when_there_is_enough():
    plenty = [Candidate("ABC"[number % 3], str(number)) for number in range(1000)]
    splits = allocate(plenty, {"tr": 100, "va": 10, "te": 11}, Draws(0))
    assert {split: len(chosen) for split, chosen in splits.items()} == {
        "tr": 100,
        "va": 10,
        "te": 11,
    }
    assert sorted(Counter(c.label for c in splits["tr"]).values()) == [33, 33, 34]


def test_scarcity_shrinks_all_splits_alike():
    few = [Candidate("A" if n < 42 else "B", str(n)) for n in range(1000)]
    splits = allocate(few, {"tr": 1000, "va": 100, "te": 100}, Draws(0))
    assert [len(splits[split]) for split in ("tr", "va", "te")] == [70, 6, 6]


def test_targets_fill_their_splits():
    many = [Candidate("AB"[n % 2], str(n), f"word{n % 2}{n // 2 % 400}") for n in range(3000)]
    splits = allocate(many, {"tr": 1000, "va": 200, "te": 200}, Draws(0))
    assert [len(splits[split]) for split in ("tr", "va", "te")] == [1000, 200, 200]


def test_a_very_frequent_target_is_trained_on():
    common = [Candidate("A", f"common {n}", "the") for n in range(50)]
    rare = [Candidate("AB"[n % 2], f"rare {n}", f"word{n}") for n in range(400)]
    for seed in range(10):
        splits = allocate([*common, *rare], {"tr": 200, "va": 40, "te": 40}, Draws(seed))
        assert "the" not in {c.target for split in ("va", "te") for c in splits[split]}


def test_one_label_is_no_task():
    assert not any(allocate([Candidate("A", "a")], SIZES, Draws(0)).values())

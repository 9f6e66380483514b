"""The benchmark as files: a line a triple, and a card that says what they are."""

import json
from collections.abc import Iterator
from pathlib import Path

from cmow.durable import replaced_folder
from cmow.evaluation.triples.kinds import KINDS
from cmow.evaluation.triples.making import EACH, SEED, Triple, triples

CARD = """---
language: [en]
license: mit
task_categories: [sentence-similarity]
tags: [word-order, minimal-pairs, triplets]
configs:
- config_name: default
  data_files:
  - {{split: train, path: train.jsonl}}
  - {{split: test, path: test.jsonl}}
---

# Triples of word order

A sentence, a rewording of it, and the words of the rewording in an order that means something
else: which of the two is nearer to the sentence? Whoever adds word vectors up cannot tell, and has
exactly 50 %.

- `kind`: one of {kinds}
- `anchor`: the sentence
- `positive`: means the same
- `negative`: the words of `positive`, another meaning
- `kept`: whether `positive` names things in the order of `anchor`; where it does not, `negative`
  looks more like the anchor than `positive` does

{each} triples of each kind in each split, {all} in all. The two splits share the templates, and
within a kind no other word: what was learned of words in one does not help in the other.

**Scores.** By cosine: the share of triples whose positive is nearer, ties half; the mean of the
kinds. By a linear probe: a classifier for each kind, trained on |u − v| and u · v of anchor and
positive (one class) and of anchor and negative (the other) in the training split, tested on the
test split.

**Limits.** Sentences are short and made of templates, without regard to what is likely: a storm
may cause greed. So nothing can be told from what one knows of the world, and nothing says how an
encoder fares on natural text. Words for the same thing are so in most contexts, not in all. The
test split is not for training, nor for choosing settings.

Made by cmow with seed {seed}.
"""


def write_benchmark(folder: Path) -> None:
    """Both splits and their card, all or nothing; other files of the folder stay."""
    with replaced_folder(folder, carry_over=True) as fresh:
        for split in ("train", "test"):
            lines = "".join(f"{json.dumps(row)}\n" for row in _rows(triples(split)))
            (fresh / f"{split}.jsonl").write_text(lines, encoding="utf-8")
        count = len(KINDS)
        card = CARD.format(
            kinds=", ".join(KINDS), each=EACH, all=f"{2 * count * EACH:,}", seed=SEED
        )
        (fresh / "README.md").write_text(card, encoding="utf-8")


def _rows(made: list[Triple]) -> Iterator[dict[str, str | bool]]:
    for triple in made:
        yield {
            "kind": triple.kind,
            "anchor": triple.anchor,
            "positive": triple.rewording,
            "negative": triple.reordering,
            "kept": triple.kept,
        }

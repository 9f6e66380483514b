"""The model card: what the model is, what it was trained on, and how to use it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from cmow.encoder.config import ModelConfig
from cmow.encoder.storage import StorageLoss
from cmow.text import Tokenizer

TEMPLATE = """\
---
library_name: cmow
pipeline_tag: sentence-similarity
tags:
- cmow
- sentence-similarity
- feature-extraction
- sentence-embeddings
---

# {name}

Sentence embeddings of {dim} numbers by the Python package `cmow`.

```python
import cmow

encoder = cmow.{load}({name!r})
embeddings = encoder.encode(["Not bad at all.", "All bad, not at all."])
```

## Shape

{parts}

Matrices are flattened by columns. Vocabulary: {words} words, split by `{tokenizer}`, {case}.

## Storage

{storage}

## Training

{training}
"""


def model_card(
    name: str, config: ModelConfig, tokenizer: Tokenizer, losses: Sequence[StorageLoss]
) -> str:
    """The card as Markdown.

    :param name: of the folder, or with its owner's before it that of the hub
    """
    return TEMPLATE.format(
        name=name,
        load="Encoder.from_pretrained" if "/" in name else "load",
        dim=config.dim,
        parts=_table(
            ("part", "composition", "size"),
            ((part["name"], part["composition"], part["size"]) for part in config.parts),
        ),
        words=f"{config.vocabulary_size:,}",
        tokenizer=tokenizer.kind,
        case="lower-cased" if tokenizer.lowercase else "case as it is",
        storage=_storage(config.storage, losses),
        training=_training(config.training),
    )


def _storage(storage: str, losses: Sequence[StorageLoss]) -> str:
    if all(loss.worst == 0 for loss in losses):
        return f"Tables are stored as {storage}."
    rows = ((loss.part, f"{loss.mean:.2g}", f"{loss.worst:.2g}") for loss in losses)
    return (
        f"Tables are stored as {storage}. One minus the cosine to the embeddings before, of random "
        "sentences with the corpus' word frequencies:\n\n" + _table(("part", "mean", "worst"), rows)
    )


def _training(training: Mapping[str, Any]) -> str:
    if not training:
        return "Not recorded: an untrained model, or tables from elsewhere."
    rows = (
        (key, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))
        for key, value in training.items()
    )
    return _table(("setting", "value"), rows)


def _table(head: tuple[str, ...], rows: Iterable[tuple[Any, ...]]) -> str:
    cells = [head, ("---",) * len(head), *rows]
    return "\n".join(
        "| " + " | ".join(str(cell).replace("|", "\\|").replace("\n", " ") for cell in row) + " |"
        for row in cells
    )

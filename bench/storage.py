"""What smaller types of storage cost a trained model.

    python bench/storage.py MODEL

Writes results/storage.json and results/storage.md.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import machine, table, write_results

from cmow import load
from cmow.encoder import STORAGES


def costs(model: Path, storage: str) -> dict[str, Any]:
    """Megabytes of a model, and its losses in cosine by part."""
    with TemporaryDirectory() as folder:
        losses = load(model).save(folder, storage=storage)
        size = sum(file.stat().st_size for file in Path(folder).iterdir())
    found = {
        f"{loss.part}, {how}": getattr(loss, how) for loss in losses for how in ("mean", "worst")
    }
    return {"megabytes": float(round(size / 1e6)), **found}


def costs_table(found: dict[str, Any]) -> str:
    """The costs of all ways to store a model."""
    rows = [[storage, *(f"{cost:.3g}" for cost in of.values())] for storage, of in found.items()]
    return table(["storage", *next(iter(found.values()))], rows)


def main() -> None:
    """Save the model in every way and write what it cost."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", type=Path)
    model = parser.parse_args().model
    found = {storage: costs(model, storage) for storage in STORAGES}
    shape = str(load(model).shape)
    sections = [
        f"A trained model of {shape}, {len(load(model).vocabulary):,} words. Losses are 1 - cosine "
        "between embeddings before and after, mean and worst of 1,000 random texts of 25 words.",
        costs_table(found),
    ]
    figures = {"machine": machine(), "shape": shape, "storages": found}
    write_results("storage", "Storage", figures, sections)


if __name__ == "__main__":
    main()

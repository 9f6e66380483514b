"""`cmow info`: what a model is."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from cmow.cli.app import app
from cmow.cli.models import Model, megabytes, open_model, size_on_disk


@app.command()
def info(
    model: Model,
    as_json: Annotated[bool, typer.Option("--json", help="JSON, for programs.")] = False,
    verify: Annotated[
        bool, typer.Option("--verify", help="Read the tables: are they what was saved?")
    ] = False,
) -> None:
    """Show shape, vocabulary, size and training of a model.

    `cmow info model/`
    """
    facts = _facts(model, verify)
    if as_json:
        sys.stdout.write(json.dumps(facts, indent=2, ensure_ascii=False) + "\n")
        return
    _write(_model_lines(facts))
    sys.stdout.write("\ntraining\n")
    _write(_training_lines(facts["training"]) or [("not recorded", "untrained, or from elsewhere")])


def _facts(model: Path, verify: bool) -> dict[str, Any]:
    encoder = open_model(model, verify=verify)
    tokenizer = encoder.tokenizer
    return {
        "model": str(model),
        "shape": str(encoder.shape),
        "dimensions": encoder.dim,
        "parts": [{"name": part.name, **part.shape.settings()} for part in encoder.parts],
        "words": len(encoder.vocabulary),
        "tokenizer": tokenizer.kind,
        "lowercase": tokenizer.lowercase,
        "storage": encoder.parts[0].storage,
        "bytes": size_on_disk(model),
        "training": encoder.training,
    }


def _write(lines: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in lines)
    for name, value in lines:
        sys.stdout.write(f"{name:{width}}  {value}\n")


def _model_lines(facts: Mapping[str, Any]) -> list[tuple[str, str]]:
    from cmow.encoder import PartShape

    parts = (f"{part['name']} = {PartShape.of(part)}" for part in facts["parts"])
    case = ", lower-cased" if facts["lowercase"] else ""
    return [
        ("model", facts["model"]),
        ("parts", ", ".join(parts)),
        ("dimensions", str(facts["dimensions"])),
        ("vocabulary", f"{facts['words']:,} words"),
        ("tokenizer", facts["tokenizer"] + case),
        ("storage", f"{facts['storage']}, {megabytes(facts['bytes'])} on disk"),
    ]


def _training_lines(training: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """A line for each fact that is known; those of nested tables with a dotted name."""
    lines: list[tuple[str, str]] = []
    for name, value in training.items():
        if isinstance(value, Mapping):
            lines += _training_lines(value, f"{prefix}{name}.")
        elif value is not None:
            lines.append((prefix + name, value if isinstance(value, str) else json.dumps(value)))
    return lines

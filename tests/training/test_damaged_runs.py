"""A run never goes on from a checkpoint that is not the one it wrote."""

import json
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
from language import SETTINGS, write_text

from cmow import TrainConfig
from cmow.errors import FormatError
from cmow.training.checkpoint import FIELDS, VERSION, Checkpoint, _checksum
from cmow.training.folder import run_place
from cmow.training.history import Progress
from cmow.training.run import run_training
from cmow.training.state import FIELDS as STATE_FIELDS
from cmow.training.state import State

CONFIG = TrainConfig(**SETTINGS, max_updates=30)
ARRAYS = [
    f"update-13/{name}.{kind}.npy"
    for name in ("cbow", "cmow", "output")
    for kind in ("table", "first_moment", "second_moment")
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory) -> Path:
    return write_text(tmp_path_factory.mktemp("corpus") / "corpus.txt")


@pytest.fixture(scope="module")
def interrupted(corpus, tmp_path_factory) -> Path:
    def interrupt(progress: Progress) -> None:
        if progress.update == 12:
            os.kill(os.getpid(), signal.SIGINT)

    model = tmp_path_factory.mktemp("interrupted") / "model"
    run_training(corpus, CONFIG, folder=model, callbacks=[interrupt])
    return model


@pytest.fixture
def model(interrupted, tmp_path) -> Path:
    """A copy of an interrupted run."""
    shutil.copytree(interrupted.parent, tmp_path / "copy")
    return tmp_path / "copy/model"


def refused(corpus: Path, model: Path, file: str) -> None:
    """It is said what is damaged, and what to do."""
    run = run_place(model)
    with pytest.raises(FormatError) as caught:
        run_training(corpus, CONFIG, folder=model, resume=True)
    assert str(caught.value) == f"{run / file}: damaged; remove {run} to start over"


@pytest.mark.parametrize("file", [*ARRAYS, "history.jsonl"])
@pytest.mark.parametrize("place", [0.0, 0.1, 0.5, 1.0])
def test_a_flipped_bit_is_found(corpus, model, file, place):
    path = run_place(model) / file
    data = bytearray(path.read_bytes())
    data[int(place * (len(data) - 1))] ^= 1
    path.write_bytes(data)
    refused(corpus, model, file)


@pytest.mark.parametrize("file", [ARRAYS[0], "history.jsonl"])
@pytest.mark.parametrize("damage", ["shorter", "longer", "missing"])
def test_so_is_a_file_of_another_length(corpus, model, file, damage):
    path = run_place(model) / file
    data = path.read_bytes()
    path.write_bytes(data[:-1] if damage == "shorter" else data + b"\n")
    if damage == "missing":
        path.unlink()
    if damage == "longer" and file == "history.jsonl":  # what a killed process wrote later
        run_training(corpus, CONFIG, folder=model, resume=True)
    else:
        refused(corpus, model, file)


def test_no_character_of_the_page_changes_unnoticed(model):
    path = run_place(model) / "run.json"
    data = path.read_bytes()
    expected = Checkpoint.read(path.parent)
    for position in range(len(data)):
        path.write_bytes(data[:position] + bytes([data[position] ^ 1]) + data[position + 1 :])
        try:
            read = Checkpoint.read(path.parent)
        except FormatError:
            continue
        assert read == expected  # the character was white space


WRONG: list[Any] = [None, True, -1, 1.5, "x", [], [1], ["x", "y"], {}, {"x": 1}, float("nan")]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_page_of_a_wrong_type_is_refused_even_with_its_checksum(model, field, value):
    path = run_place(model) / "run.json"
    values = json.loads(path.read_text())
    del values["checksum"]
    values[field] = value
    path.write_text(json.dumps({**values, "checksum": _checksum(values)}))
    fitting = {"corpus": str, "objective": str, "arrays": (str, type(None))}
    fitting |= {"ending": (str, type(None))}
    if isinstance(value, fitting.get(field, ())):
        return
    if (field, value) in (("settings", {}), ("checksums", {})):
        return
    with pytest.raises(FormatError, match=r"run\.json: damaged; remove"):
        Checkpoint.read(path.parent)


@pytest.mark.parametrize("field", STATE_FIELDS)
@pytest.mark.parametrize("value", WRONG, ids=repr)
def test_a_state_has_its_types(field, value):
    good = State().as_dict()
    optional = field.startswith("best") or field.startswith("validat")
    number = field in {"seconds", "learning_rate", "line_seconds", "validation_loss", "best_loss"}
    fits = (
        (value is None and optional)
        or (value in (-1, 1.5) and number and value is not True)
        or (value in ([], [1]) and field == "last_losses")
    )
    if fits:
        State.of({**good, field: value})
    else:
        with pytest.raises(FormatError, match="state"):
            State.of({**good, field: value})
    with pytest.raises(FormatError):
        State.of({name: good[name] for name in good if name != field})


@pytest.mark.parametrize("text", ["null", "[]", "3", '"x"', "{}", "[" * 100_000, "\xff"])
def test_what_is_no_page_is_refused(model, text):
    (run_place(model) / "run.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(FormatError, match=r"run\.json: damaged; remove"):
        Checkpoint.read(run_place(model))


def test_a_page_of_another_version_is_refused(model):
    path = run_place(model) / "run.json"
    path.write_text(path.read_text().replace(f'"version": {VERSION}', '"version": 1'))
    with pytest.raises(FormatError, match="of another version of cmow; remove"):
        Checkpoint.read(path.parent)

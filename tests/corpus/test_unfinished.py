"""A folder appears complete or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cmow.corpus.unfinished import unfinished


def fill(folder: Path, text: str) -> None:
    with unfinished(folder) as work:
        (work / "file").write_text(text)
        assert not (folder / "file").exists() or (folder / "file").read_text() != text


def test_it_appears_at_the_end_and_replaces_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    fill(folder, "one")
    fill(folder, "two")
    assert (folder / "file").read_text() == "two"
    assert list(folder.parent.iterdir()) == [folder]


def test_permissions_are_those_of_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    fill(tmp_path / "folder", "one")
    assert (tmp_path / "folder").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_after_an_error_all_is_as_before(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    fill(folder, "one")
    with pytest.raises(ZeroDivisionError), unfinished(folder) as work:
        (work / "file").write_text(f"two {1 / 0}")
    assert (folder / "file").read_text() == "one"
    assert list(tmp_path.iterdir()) == [folder]


def test_an_error_of_writing_names_the_folder(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No space left") as error, unfinished(tmp_path / "folder"):
        raise OSError(28, "No space left on device")
    assert error.value.filename == str(tmp_path / "folder")


def test_what_a_killed_process_left_is_removed_but_not_what_a_living_one_has(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "[1] folder"
    program = (
        "import sys, time; from pathlib import Path\n"
        "from cmow.corpus.unfinished import unfinished\n"
        "with unfinished(Path(sys.argv[1])) as work:\n"
        "    (work / 'file').write_text('never'); print('ready', flush=True); time.sleep(600)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, folder], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        fill(folder, "one")
        assert len(list(tmp_path.iterdir())) == 2  # the living process keeps its own
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        process.stdout.close()
    fill(folder, "two")
    assert list(tmp_path.iterdir()) == [folder]
    assert (folder / "file").read_text() == "two"

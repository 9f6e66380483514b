"""Files and folders appear complete or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cmow import durable
from cmow.durable import replaced_file, replaced_folder, write_json, write_whole


def fill(folder: Path, text: str) -> None:
    with replaced_folder(folder) as work:
        (work / "file").write_text(text)
        assert not (folder / "file").exists() or (folder / "file").read_text() != text


def started(program: str, *arguments: object) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def kill(process: "subprocess.Popen[str]") -> None:
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()


# ---- folders ------------------------------------------------------------------------------------


def test_it_appears_at_the_end_and_replaces_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "folder"
    fill(folder, "one")
    fill(folder, "two")
    assert (folder / "file").read_text() == "two"
    assert list(folder.parent.iterdir()) == [folder]


def test_files_of_the_old_folder_are_carried_over_only_if_wanted(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    fill(folder, "one")
    (folder / "other").write_text("other")
    with replaced_folder(folder, carry_over=True) as work:
        (work / "file").write_text("two")
    assert (folder / "file").read_text() == "two"
    assert (folder / "other").read_text() == "other"
    fill(folder, "three")
    assert [file.name for file in folder.iterdir()] == ["file"]


def test_permissions_are_those_of_any_new_folder(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    fill(tmp_path / "folder", "one")
    assert (tmp_path / "folder").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_permissions_of_the_old_folder_are_kept(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    fill(folder, "one")
    folder.chmod(0o750)
    fill(folder, "two")
    assert folder.stat().st_mode & 0o777 == 0o750


def test_after_an_error_all_is_as_before(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    fill(folder, "one")
    with pytest.raises(ZeroDivisionError), replaced_folder(folder) as work:
        (work / "file").write_text(f"two {1 / 0}")
    assert (folder / "file").read_text() == "one"
    assert list(tmp_path.iterdir()) == [folder]


def test_an_error_of_writing_names_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    with pytest.raises(OSError, match="No space left") as error, replaced_folder(folder):
        raise OSError(28, "No space left on device")
    assert error.value.filename == str(folder)
    with pytest.raises(FileNotFoundError) as missing, replaced_folder(folder) as work:
        (work / "deep" / "file").write_text("one")
    assert missing.value.filename == str(folder / "deep" / "file")
    with pytest.raises(FileNotFoundError) as foreign, replaced_folder(folder):
        (tmp_path / "input").read_text()
    assert foreign.value.filename == str(tmp_path / "input")


def test_what_a_killed_process_left_is_removed_but_not_what_a_living_one_has(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "[1] folder"
    program = (
        "import sys, time; from pathlib import Path\n"
        "from cmow.durable import replaced_folder\n"
        "with replaced_folder(Path(sys.argv[1])) as work:\n"
        "    (work / 'file').write_text('never'); print('ready', flush=True); time.sleep(600)\n"
    )
    process = started(program, folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    try:
        fill(folder, "one")
        assert len(list(tmp_path.iterdir())) == 2  # the living process keeps its own
    finally:
        kill(process)
    fill(folder, "two")
    assert list(tmp_path.iterdir()) == [folder]
    assert (folder / "file").read_text() == "two"


def test_two_renames_where_names_cannot_be_exchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(durable.ctypes, "CDLL", lambda *_, **__: object())
    fill(tmp_path / "folder", "one")
    fill(tmp_path / "folder", "two")
    assert (tmp_path / "folder" / "file").read_text() == "two"
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


@pytest.mark.parametrize("carry_over", [False, True])
def test_several_processes_at_once_never_fail(tmp_path: Path, carry_over: bool) -> None:
    folder = tmp_path / "folder"
    fill(folder, "one")
    (folder / "other").write_text("other")
    program = (
        "import sys; from pathlib import Path\n"
        "from cmow.durable import replaced_folder\n"
        "folder = Path(sys.argv[1])\n"
        "for _ in range(200):\n"
        f"    with replaced_folder(folder, carry_over={carry_over}) as work:\n"
        "        (work / 'file').write_text('two')\n"
        "    assert (folder / 'file').read_text() == 'two'\n"
    )
    processes = [started(program, folder) for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    fill(folder, "three")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


def test_several_processes_never_fail_where_names_cannot_be_exchanged(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from cmow import durable\n"
        "durable._exchanged = lambda *_: False\n"
        "for _ in range(200):\n"
        "    with durable.replaced_folder(Path(sys.argv[1])) as work:\n"
        "        (work / 'file').write_text('two')\n"
    )
    processes = [started(program, tmp_path / "folder") for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    assert (tmp_path / "folder" / "file").read_text() == "two"
    fill(tmp_path / "folder", "three")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


# ---- files --------------------------------------------------------------------------------------


def test_a_file_appears_at_the_end(tmp_path: Path) -> None:
    path = tmp_path / "file"
    for text in ("one\n", "two, größer\n"):
        with replaced_file(path) as fresh:
            fresh.write_text(text, "utf-8")
            assert not path.exists() or path.read_text("utf-8") != text
        assert path.read_text("utf-8") == text
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_stays_as_it_was_after_an_error(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_whole(path, "one")
    with pytest.raises(ZeroDivisionError), replaced_file(path) as fresh:
        fresh.write_text(f"two {1 / 0}")
    with pytest.raises(TypeError):
        write_json(path, {"not for JSON": object()})
    assert path.read_text() == "one"
    assert list(tmp_path.iterdir()) == [path]


def test_an_error_of_writing_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(OSError, match="No space left") as error, replaced_file(path) as fresh:
        raise OSError(28, "No space left on device", str(fresh))
    assert error.value.filename == str(path)
    with pytest.raises(FileNotFoundError) as missing:
        write_whole(tmp_path / "deep" / "file", "one")
    assert missing.value.filename == str(tmp_path / "deep" / "file")


@pytest.mark.parametrize("umask", [0o022, 0o027])
def test_the_mode_of_a_file_is_that_of_any_new_file(tmp_path: Path, umask: int) -> None:
    before = os.umask(umask)
    try:
        write_whole(tmp_path / "file", "one")
    finally:
        os.umask(before)
    assert (tmp_path / "file").stat().st_mode & 0o777 == 0o666 & ~umask


def test_a_link_to_a_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    write_whole(tmp_path / "link", "one")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "one"


def test_several_processes_may_write_a_file_at_once(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path\n"
        "from cmow.durable import write_json\n"
        "for number in range(200):\n"
        "    write_json(Path(sys.argv[1]), [number] * 100)\n"
    )
    processes = [started(program, tmp_path / "file") for _ in range(3)]
    assert [process.communicate()[1] for process in processes] == ["", "", ""]
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


# ---- a writer that is killed --------------------------------------------------------------------

KILLED = """
import os, signal, sys
from pathlib import Path
from cmow.durable import replaced_folder, write_whole

path = Path(sys.argv[1])


def write(text):
    if sys.argv[2] == "file":
        write_whole(path, text)
        return
    with replaced_folder(path) as fresh:
        (fresh / "one").write_text(text)
        (fresh / "two").write_text(text)


def found():
    names = [path] if sys.argv[2] == "file" else [path / "one", path / "two"]
    (text,) = {name.read_text() for name in names}
    return text


write("old")
expected, steps, died = "old", 0, True
while died:
    child = os.fork()
    new = "new" if expected == "old" else "old"
    if child == 0:
        left = steps

        def die_at_the_right_moment(event, arguments):
            global left
            if event.startswith(("open", "os.", "shutil.", "ctypes.")) and event != "os.kill":
                left -= 1
                if left < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(die_at_the_right_moment)
        write(new)
        os._exit(0)
    died = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    assert found() in (expected, new)
    assert died or found() == new
    expected = found()
    steps += 1
print(steps)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="needs fork and the exchange of names")
@pytest.mark.parametrize("kind", ["file", "folder"])
def test_a_writer_killed_at_any_step_leaves_the_old_or_the_new(tmp_path: Path, kind: str) -> None:
    process = started(KILLED, tmp_path / kind, kind)
    steps, fault = process.communicate()
    assert process.returncode == 0, fault
    assert int(steps) > 10
    assert [path.name for path in tmp_path.iterdir()] == [kind]

"""`cmow prepare` as users meet it: real processes, real pipes, one line for what goes wrong."""

import gzip
import inspect
import io
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cmow.cli import main
from cmow.cli.prepare import prepare as command
from cmow.corpus import Corpus, PrepareSettings

TEXT = b"the dog saw the cat\nthe cat saw the dog\nalone\n"
COMMAND = [sys.executable, "-c", "from cmow.cli import main; main()", "prepare"]


def run(
    *arguments: str | Path, stdin: bytes = b"", setup: Callable[[], None] | None = None
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        preexec_fn=setup,
        check=False,
    )


@pytest.fixture
def text(tmp_path: Path) -> Path:
    file = tmp_path / "text.txt"
    file.write_bytes(TEXT)
    return file


def assert_refused(code: int, output: str, errors: str, message: str) -> None:
    """One clear line and exit code 2."""
    assert code == 2
    assert output == ""
    assert errors.count("\n") == 1
    assert message in errors


def test_files_become_a_corpus_and_one_line_tells_what_it_is(text: Path, tmp_path: Path) -> None:
    packed = tmp_path / "more.gz"
    packed.write_bytes(gzip.compress(b"a bird\n"))
    result = run(text, packed, tmp_path / "prepared")
    assert result.returncode == 0
    assert result.stderr == b""
    assert result.stdout.decode() == (
        f"{tmp_path}/prepared: 3 sentences, 12 tokens, vocabulary of 7, "
        "0.0% of all tokens unknown, 1 lines with fewer than two known words left out\n"
    )
    assert len(Corpus.open(tmp_path / "prepared")) == 3
    assert run(text, packed, tmp_path / "prepared").stdout == result.stdout


def test_stdin_plain_and_packed(text: Path, tmp_path: Path) -> None:
    run(text, tmp_path / "file")
    expected = Corpus.open(tmp_path / "file").fingerprint
    for name, data in (("plain", TEXT), ("packed", gzip.compress(TEXT))):
        assert run("-", tmp_path / name, stdin=data).returncode == 0
        assert Corpus.open(tmp_path / name).fingerprint == expected


def test_flags_are_the_settings_with_the_same_defaults() -> None:
    flags = inspect.signature(command).parameters
    defaults = {name: flag.default for name, flag in flags.items()}
    for name in ("inputs", "folder", "threads"):
        del defaults[name]
    assert PrepareSettings(**defaults) == PrepareSettings()
    assert defaults.keys() == inspect.signature(PrepareSettings).parameters.keys()


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["missing.txt", "out"], b"", "missing.txt: No such file or directory"),
        (["no*.txt", "out"], b"", "no*.txt: no file matches"),
        (["-", "out"], b"", "the corpus is empty"),
        (["-", "out"], b" \n\n\t\n", "the corpus is empty"),
        (["-", "out"], b"dog\ndog dog\n", "a vocabulary of 1 words, but 2 are needed"),
        (["-", "out", "--minimum-count=9"], TEXT, "minimum_count lower than 9"),
        (["-", "out"], b"dog\ncat\n", "none of 2 lines has two words of the vocabulary"),
        (["-", "out"], b"good\nb\xe4d\n", "<stdin>:2: not UTF-8 (byte 0xe4 at position 2)"),
        (["-", "out"], gzip.compress(TEXT)[:-9], "<stdin>: the gz data ends too early"),
        (["-", "out", "--tokenizer=none.json"], TEXT, "none.json: No such file or directory"),
        (["-", "out", "--word-list=none.txt"], TEXT, "none.txt: No such file or directory"),
        (["-", "out", "--threads=0"], TEXT, "threads is 0"),
        (
            ["-", "out", "--invalid=maybe", "--vocabulary-size=0"],
            TEXT,
            "vocabulary_size must be a number of at least 2, not 0; invalid must be one of",
        ),
        (["-", "."], TEXT, ". is to be replaced and you are in it"),
        (["-"], TEXT, "Missing argument"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    stdin: bytes,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["cmow", "prepare", *arguments])
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    with pytest.raises(SystemExit) as end:
        main()
    assert_refused(end.value.code, *capsys.readouterr(), message)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("policy", "sentences"), [("replace", 3), ("skip", 2)])
def test_going_on_with_invalid_lines_names_them_once(
    tmp_path: Path, policy: str, sentences: int
) -> None:
    data = TEXT + b"the b\xe4d dog\n"
    result = run("-", tmp_path / "out", f"--invalid={policy}", stdin=data)
    assert result.returncode == 0
    assert result.stderr.decode().count("<stdin>:4: not UTF-8") == 1
    assert len(Corpus.open(tmp_path / "out")) == sentences


def limit_files() -> None:
    """Let no file grow above 64 kB, as if the disk were full."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))


def test_a_full_disk(tmp_path: Path) -> None:
    text = tmp_path / "text.txt"
    text.write_bytes(TEXT * 2000)
    for source, place in ((text, tmp_path / "out"), ("-", tmp_path)):
        result = run(source, tmp_path / "out", stdin=TEXT * 2000, setup=limit_files)
        output, errors = result.stdout.decode(), result.stderr.decode()
        assert_refused(result.returncode, output, errors, f"{place}: File too large")
        assert list(tmp_path.iterdir()) == [text]


def test_a_disk_that_is_full_only_when_the_counts_are_written(tmp_path: Path) -> None:
    words = [f"w{number}" for number in range(9000)]  # eight bytes a count, four an id
    result = run(
        "-", tmp_path / "out", "--minimum-count=1", stdin=" ".join(words).encode(),
        setup=limit_files,
    )  # fmt: skip
    output, errors = result.stdout.decode(), result.stderr.decode()
    place = tmp_path / "out" / "counts.int64"
    assert_refused(result.returncode, output, errors, f"{place}: File too large")
    assert list(tmp_path.iterdir()) == []


# Waits in the middle of the second pass.
WAITING = """
import sys, time
from cmow.corpus import prepare

def wait(progress):
    if progress.stage == "write" and progress.done:
        print("ready", flush=True)
        time.sleep(600)

prepare(sys.argv[1], sys.argv[2], progress=wait)
"""


def stop(text: Path, folder: Path, by: signal.Signals) -> None:
    """Stop a preparation at work."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, text, folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        os.kill(process.pid, by)
        assert process.wait(60) == -by


def test_interrupted_it_leaves_nothing(text: Path, tmp_path: Path) -> None:
    stop(text, tmp_path / "out", signal.SIGINT)
    assert list(tmp_path.iterdir()) == [text]


def test_killed_it_leaves_no_half_written_corpus_and_the_next_run_cleans_up(
    text: Path, tmp_path: Path
) -> None:
    stop(text, tmp_path / "out", signal.SIGKILL)
    assert not (tmp_path / "out").exists()
    assert run(text, tmp_path / "out").returncode == 0
    assert sorted(tmp_path.iterdir()) == [tmp_path / "out", text]

"""`cmow encode` as users meet it: files, pipes, packed input, readers that go away."""

import gzip
import json
import lzma
import os
import signal
import subprocess
import time

import numpy as np
import pytest
import zstandard
from processes import CMOW, files_in, run, run_on_terminal

from cmow import load

TEXTS = [
    "the dog chased the cat",
    "",
    "the cat chased the dog",
    "nobody knows these",
    "die häuser\tsaw the 犬",
]
LINES = "".join(f"{text}\n" for text in TEXTS).encode()


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "texts.txt"
    path.write_bytes(LINES)
    return path


@pytest.fixture
def expected(model):
    return load(model).encode(TEXTS)


def test_formats_and_ways_agree(model, file, tmp_path, expected):
    piped = run("encode", model, stdin=LINES)
    assert (piped.returncode, piped.stderr) == (0, b"")
    (tmp_path / "piped.npy").write_bytes(piped.stdout)

    with (tmp_path / "redirected.npy").open("wb") as redirected:
        redirected.write(b"before")
        redirected.flush()
        subprocess.run([*CMOW, "encode", model, file], stdout=redirected, check=True)
    content = (tmp_path / "redirected.npy").read_bytes()
    assert content == b"before" + piped.stdout

    with (tmp_path / "appended.npy").open("ab") as appended:
        subprocess.run([*CMOW, "encode", model, file], stdout=appended, check=True)
    assert (tmp_path / "appended.npy").read_bytes() == piped.stdout

    loaded = np.load(tmp_path / "piped.npy")
    assert loaded.dtype == np.float32
    np.testing.assert_array_equal(loaded, expected)

    tsv = run("encode", model, "-", "--format", "tsv", stdin=LINES).stdout.decode()
    rows = [line.split("\t") for line in tsv.split("\n")[:-1]]
    np.testing.assert_array_equal(np.array(rows, np.float32), expected)

    objects = run("encode", model, file, "--format", "jsonl").stdout.decode().split("\n")[:-1]
    assert [json.loads(line)["text"] for line in objects] == TEXTS
    embeddings = np.array([json.loads(line)["embedding"] for line in objects], np.float32)
    np.testing.assert_array_equal(embeddings, expected)


def test_suffix_tells_the_format(cmow, model, file, tmp_path, expected):
    for name in ("x.npy", "x.tsv", "x.jsonl", "without"):
        assert cmow("encode", model, file, "-o", tmp_path / name) == (0, "", "")
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), expected)
    np.testing.assert_array_equal(np.load(tmp_path / "without"), expected)
    rows = np.loadtxt(tmp_path / "x.tsv", np.float32, delimiter="\t")
    np.testing.assert_array_equal(rows, expected)
    assert json.loads((tmp_path / "x.jsonl").read_bytes().splitlines()[0])["text"] == TEXTS[0]
    cmow("encode", model, file, "-o", tmp_path / "y.tsv", "--format", "npy")
    np.testing.assert_array_equal(np.load(tmp_path / "y.tsv"), expected)


def test_options_reach_the_encoder(cmow, model, file, tmp_path):
    encoder, out = load(model), tmp_path / "x.npy"
    for options, wanted in (
        (["--part", "cmow"], encoder.part("cmow").encode(TEXTS)),
        (["--normalize", "all"], encoder.encode(TEXTS, normalize="all")),
        (["--normalize", "parts", "--threads", "2"], encoder.encode(TEXTS, normalize="parts")),
    ):
        assert cmow("encode", model, file, "-o", out, *options)[0] == 0
        np.testing.assert_array_equal(np.load(out), wanted)


def test_several_packed_files_and_packed_stdin(cmow, model, file, tmp_path, expected):
    (tmp_path / "a.gz").write_bytes(gzip.compress(LINES))
    (tmp_path / "b.xz").write_bytes(lzma.compress(LINES))
    (tmp_path / "c.zst").write_bytes(zstandard.compress(LINES))
    packed = sorted(tmp_path.glob("?.*"))
    out = tmp_path / "x.npy"
    assert cmow("encode", model, *packed, file, "-o", out) == (0, "", "")
    np.testing.assert_array_equal(np.load(out), np.tile(expected, (4, 1)))
    assert (
        run("encode", model, stdin=gzip.compress(LINES)).stdout
        == run("encode", model, stdin=LINES.replace(b"\n", b"\r\n")).stdout
    )


def test_no_texts_give_no_rows(cmow, model, tmp_path):
    (tmp_path / "empty").touch()
    cmow("encode", model, tmp_path / "empty", "-o", tmp_path / "x.npy")
    assert np.load(tmp_path / "x.npy").shape == (0, 34)


def test_more_texts_than_fit_a_batch(cmow, model, tmp_path):
    texts = [("the cat", "", "dog saw")[number % 3] for number in range(10_000)]
    (tmp_path / "many").write_text("\n".join(texts))
    assert cmow("encode", model, tmp_path / "many", "-o", tmp_path / "x.npy")[0] == 0
    np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), load(model).encode(texts))


def test_coverage_is_told_on_request(cmow, model, file, tmp_path):
    _, _, told = cmow("encode", model, file, "-o", tmp_path / "x.npy", "--verbose")
    assert told == "5 texts, 18 tokens, 4 (22.2%) unknown\n"


def test_reader_that_goes_away(model, tmp_path):
    many = tmp_path / "many"
    many.write_text("the dog chased the cat\n" * 20_000)
    process = subprocess.Popen(
        [*CMOW, "encode", model, many, "--format", "tsv"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert len(process.stdout.readline().split(b"\t")) == 34
    process.stdout.close()
    assert process.stderr.read() == b""
    process.stderr.close()
    assert process.wait() == 128 + signal.SIGPIPE


def test_failure_leaves_what_was_there(cmow, model, tmp_path):
    bad = tmp_path / "bad.txt"
    bad.write_bytes(b"the cat\n" * 200_000 + b"the \xff\n")
    out = tmp_path / "x.npy"
    out.write_bytes(b"precious")
    code, _, told = cmow("encode", model, bad, "-o", out)
    assert code == 2
    assert "200001: not UTF-8" in told
    assert out.read_bytes() == b"precious"
    assert files_in(tmp_path) == ["bad.txt", "x.npy"]
    piped = run("encode", model, bad)
    assert (piped.returncode, piped.stdout) == (2, b"")


def test_terminated_it_clears_up(model, tmp_path):
    process = subprocess.Popen(
        [*CMOW, "encode", model, "-o", tmp_path / "x.npy"], stdin=subprocess.PIPE
    )
    while not files_in(tmp_path):
        assert process.poll() is None
        time.sleep(0.01)
    process.terminate()
    assert process.wait() == 128 + signal.SIGTERM
    process.stdin.close()
    assert files_in(tmp_path) == []


def test_lines_that_are_not_utf8_on_request(cmow, model, tmp_path):
    (tmp_path / "bad").write_bytes(b"the cat\nthe \xff\n\xff\ndog\n")
    for policy, rows in (("replace", ["the cat", "the", "", "dog"]), ("skip", ["the cat", "dog"])):
        cmow("encode", model, tmp_path / "bad", "-o", tmp_path / "x.npy", "--invalid", policy)
        np.testing.assert_array_equal(np.load(tmp_path / "x.npy"), load(model).encode(rows))


def test_symbolic_links_and_devices_stay_what_they_are(cmow, model, file, tmp_path, expected):
    (tmp_path / "link.npy").symlink_to("target.npy")
    assert cmow("encode", model, file, "-o", tmp_path / "link.npy")[0] == 0
    assert (tmp_path / "link.npy").is_symlink()
    np.testing.assert_array_equal(np.load(tmp_path / "target.npy"), expected)
    assert cmow("encode", model, file, "-o", os.devnull)[0] == 0
    assert os.path.exists(os.devnull)  # noqa: PTH110
    os.mkfifo(tmp_path / "pipe")
    reader = subprocess.Popen(["cat", tmp_path / "pipe"], stdout=subprocess.PIPE)
    assert cmow("encode", model, file, "-o", tmp_path / "pipe")[0] == 0
    assert reader.communicate()[0] == (tmp_path / "target.npy").read_bytes()


def test_terminal(model, file, tmp_path):
    code, shown = run_on_terminal("encode", model, file)
    assert code == 2
    assert shown == "cmow: binary data would spoil the terminal: give -o FILE or --format tsv\r\n"
    with (tmp_path / "x.npy").open("wb") as out:
        code, shown = run_on_terminal("encode", model, file, stdout=out.fileno())
    assert code == 0
    assert "5 texts, 18 tokens, 4 (22.2%) unknown" in shown

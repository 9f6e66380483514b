"""Whatever the input, its text can be read twice and is the same text."""

import gzip
import io
import os
import resource
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from cmow.corpus.progress import Tracker
from cmow.corpus.sources import Inputs, Source, open_source
from cmow.progress import Progress

LINES = ["one two", "drei vier ü", "five"]
TEXT = "".join(f"{line}\n" for line in LINES).encode()
QUIET = Tracker(None)


def text_of(source: Source) -> bytes:
    return b"".join(block.data for block in source.blocks())


def digest_of(inputs: Inputs, spool: Path) -> str:
    with open_source(inputs, spool=spool, tracker=QUIET) as source:
        assert text_of(source) == text_of(source) == TEXT
        return source.digest(QUIET)


def test_one_text_has_one_digest_wherever_it_comes_from(tmp_path: Path) -> None:
    plain, packed, folder = tmp_path / "text", tmp_path / "text.gz", tmp_path / "folder"
    plain.write_bytes(TEXT)
    packed.write_bytes(gzip.compress(TEXT))
    folder.mkdir()
    (folder / "1").write_bytes(TEXT[:8])
    (folder / "2").write_bytes(TEXT[8:-1])
    inputs: list[Inputs] = [plain, str(packed), folder, [folder / "1", folder / "2"], LINES]
    digests = {digest_of(each, tmp_path) for each in [*inputs, iter(LINES), tuple(LINES)]}
    assert len(digests) == 1


def test_a_pipe_is_copied_and_nothing_is_left_of_the_copy(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(TEXT,))
    writer.start()
    seen: list[Progress] = []
    with open_source(pipe, spool=tmp_path, tracker=Tracker(seen.append)) as source:
        writer.join()
        assert text_of(source) == text_of(source) == TEXT
        assert source.stamps() is None
        assert list(tmp_path.iterdir()) == [pipe]
    assert seen[-1] == Progress("copy", len(TEXT), None)


class SlowPipe(io.BytesIO):
    """Never has more than a little at once."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(min(size or 100, 100))


@pytest.mark.parametrize("size", [65_540, 90_000])
def test_a_full_disk_is_named_however_the_text_arrives(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=SlowPipe(bytes(size))))
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, before[1]))
    try:
        with (
            pytest.raises(OSError, match="File too large") as error,
            open_source("-", spool=tmp_path, tracker=QUIET),
        ):
            pass
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert error.value.filename == str(tmp_path)


def test_texts_may_be_iterated_any_number_of_times_but_are_not_held(tmp_path: Path) -> None:
    class Sentences:
        rounds = 0

        def __iter__(self) -> Iterator[str]:
            self.rounds += 1
            return iter(LINES)

    sentences = Sentences()
    with open_source(sentences, spool=tmp_path, tracker=QUIET) as source:
        assert text_of(source) == text_of(source) == TEXT
    assert sentences.rounds >= 2


def test_a_line_end_inside_a_text_is_a_blank(tmp_path: Path) -> None:
    with open_source(["one\ntwo", "three"], spool=tmp_path, tracker=QUIET) as source:
        assert text_of(source) == b"one two\nthree\n"


def test_texts_to_be_split_are_paragraphs_of_their_own(tmp_path: Path) -> None:
    texts = ["One\n\ntwo", "three"]
    with open_source(texts, spool=tmp_path, tracker=QUIET, paragraphs=True) as source:
        assert text_of(source) == b"One\n\ntwo\n\nthree\n\n"


def test_many_texts_keep_their_numbers(tmp_path: Path) -> None:
    texts = [f"text number {number} " + "x" * 1000 for number in range(1, 1001)]
    with open_source(texts, spool=tmp_path, tracker=QUIET) as source:
        blocks = list(source.blocks())
    assert len(blocks) > 2
    for block in blocks:
        assert block.data.startswith(f"text number {block.first_line} ".encode())


def test_what_is_no_text_is_named(tmp_path: Path) -> None:
    with (
        open_source(["one", 2], spool=tmp_path, tracker=QUIET) as source,  # type: ignore[list-item]
        pytest.raises(TypeError, match="text 2 must be a str, not int"),
    ):
        text_of(source)


def test_a_stamp_changes_with_its_file(tmp_path: Path) -> None:
    file = tmp_path / "text"
    file.write_bytes(TEXT)
    with open_source(file, spool=tmp_path, tracker=QUIET) as source:
        before = source.stamps()
        assert source.stamps() == before
        times = file.stat()
        file.write_bytes(TEXT.upper())
        os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert source.stamps() != before  # in spite of the same size and time

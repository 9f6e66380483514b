"""Running text split into sentences, one a line."""

from collections.abc import Iterable, Iterator

from cmow.corpus.readers import Block
from cmow.errors import MissingExtraError

# The library's time grows with the square of a paragraph: hand it a page at a time.
_PAGE = 4096


def split_sentences(blocks: Iterable[Block], *, language: str = "en") -> Iterator[Block]:
    """Blocks of running text as blocks of one sentence a line.

    Sentences go across line ends; a blank line and the end of a file end a paragraph.

    :param blocks: lines of valid UTF-8
    :param language: ISO code of the language whose abbreviations and marks are to be known
    """
    paragraph = _Paragraph(language)
    block = None
    for block in blocks:
        sentences = paragraph.end() if block.first_line == 1 else []
        for line in block.data.decode().split("\n")[:-1]:
            stripped = line.strip()
            sentences += paragraph.add(stripped) if stripped else paragraph.end()
        yield block._replace(data=_lines(sentences))
    if block is not None:
        yield block._replace(data=_lines(paragraph.end()), read=0)


class _Paragraph:
    """The text since the last finished sentence."""

    def __init__(self, language: str) -> None:
        try:
            from sentencex import segment
        except ImportError as error:
            raise MissingExtraError("sentencex", "split") from error
        self.language = language
        self.segment = segment
        self.text = ""

    def add(self, line: str) -> list[str]:
        """Append a line and take the sentences that are surely finished."""
        self.text = f"{self.text} {line}" if self.text else line
        finished: list[str] = []
        start = 0
        while len(self.text) - start > _PAGE:
            cut = self.text.rfind(" ", start + 1, start + _PAGE) + 1 or start + _PAGE
            sentences = self.segment(self.language, self.text[start:cut])
            whole = sentences[:-1] or sentences  # the page's last one may go on
            start += sum(map(len, whole))
            finished += whole
        self.text = self.text[start:]
        return finished

    def end(self) -> list[str]:
        """Take what is left."""
        text, self.text = self.text, ""
        return self.segment(self.language, text) if text else []


def _lines(sentences: Iterable[str]) -> bytes:
    stripped = (sentence.strip() for sentence in sentences)
    return "".join(f"{sentence}\n" for sentence in stripped if sentence).encode()

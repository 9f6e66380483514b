"""What the probing tasks need to know about a sentence, whoever analyzed it."""

from typing import NamedTuple


class Analysis(NamedTuple):
    """A sentence as its gold tree or a parser sees it; positions count words from 0."""

    text: str  # the words, separated by blanks
    tags: str  # their Penn Treebank tags, separated by blanks
    depth: int
    top: str  # the constituents below the root, such as NP_VP_.
    subject: int | None = None  # the common noun that heads the subject of the main clause
    verb: int | None = None  # the main clause's verb, if it carries the tense itself
    object: int | None = None  # the common noun that heads the direct object of the main clause
    clauses: tuple[int, int] | None = None  # end of the first and start of the second main clause

    @property
    def words(self) -> list[str]:
        """The words."""
        return self.text.split(" ")

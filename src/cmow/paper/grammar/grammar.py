"""The generator of the language."""

from collections.abc import Iterator
from typing import NamedTuple

from cmow.errors import ConfigError
from cmow.paper.grammar.draws import Draws, Weighted
from cmow.paper.grammar.lexicon import leaf, lexicon, tagged
from cmow.paper.grammar.phrases import DO, LINKS, MODALS, Phrases, Subject
from cmow.paper.grammar.sentence import Sentence
from cmow.paper.grammar.tree import Tree

# What sentences consist of: weight, mark at the end, label of the root, labels of its children.
OUTLINES = """
240 . S NP VP
40 . S ADVP NP VP
40 . S PP NP VP
35 . S SBAR NP VP
40 . S NP ADVP VP
40 . S CC NP VP
25 . S CC ADVP NP VP
15 . S CC PP NP VP
12 . S CC SBAR NP VP
25 . S RB NP VP
20 . S INTJ NP VP
110 . S S CC S
110 . S S , CC S
25 . S VP
15 . S INTJ VP
15 . S ADVP VP
15 . S SBAR VP
15 . S PP VP
20 . S ADVP , NP VP
20 . S PP , NP VP
20 . S SBAR , NP VP
15 . S INTJ , NP VP
25 ? SQ VBD NP VP
20 ? SQ VBZ NP VP
20 ? SQ VBP NP VP
20 ? SQ MD NP VP
25 ? SBARQ WHADVP SQ
25 ? SBARQ WHNP SQ
15 . FRAG NP PP
"""
BUDGETS = Weighted((0, 1, 2, 3, 4), (20, 24, 24, 18, 14))
AUXILIARIES = Weighted(("VBD", "VBZ", "VBP", "MD"), (4, 2, 2, 1))
OBJECTS = Weighted(("goods", "tools"), (1, 1))
PERHAPS = tagged("RB", "perhaps maybe")
CALLS = tagged("UH", "well oh yes no alas indeed")
REASONS = tagged("WRB", "why how where")
WHO, WHAT = leaf("WP", "who"), leaf("WP", "what")
COMMA = leaf(",", ",")


class Outline(NamedTuple):
    """The top of a sentence's tree."""

    mark: Tree
    root: str
    children: tuple[str, ...]


def _outlines() -> Weighted[Outline]:
    weights, outlines = [], []
    for line in OUTLINES.strip().splitlines():
        weight, mark, root, *children = line.split()
        weights.append(int(weight))
        outlines.append(Outline(leaf(".", mark), root, tuple(children)))
    return Weighted(outlines, weights)


class Grammar:
    """A small English-like language with gold trees; the same sentences for the same seed."""

    outlines = _outlines()

    def __init__(self, seed: int = 0) -> None:
        if seed < 0:
            raise ConfigError(f"seed {seed} is negative: give 0 or a greater number")
        self.seed = seed

    def sentences(self, count: int) -> Iterator[Sentence]:
        """The first so many sentences; asking for more gives the same ones and then others."""
        draws = Draws(self.seed)
        words = lexicon()
        for _ in range(count):
            outline = self.outlines.draw(draws)
            topic = words.topics.draw(draws)
            phrases = Phrases(draws, words, topic=topic, past=draws.chance(50))
            composition = _Composition(phrases, budget=BUDGETS.draw(draws))
            children = [composition.child(label) for label in outline.children]
            yield Sentence(Tree(outline.root, (*children, outline.mark)))


class _Composition:
    """One sentence in the making, child by child from left to right."""

    def __init__(self, phrases: Phrases, *, budget: int) -> None:
        self.phrases = phrases
        self.draws = phrases.draws
        self.budget = budget
        self.subject: Subject | None = None
        self.plural: bool | None = None  # the number that the subject must have
        self.bare = False  # whether something else carries the tense
        self.objectless = False  # whether the question asks for the object

    def child(self, label: str) -> Tree:
        """The next constituent below the root."""
        match label:
            case "NP":
                return self._subject()
            case "VP":
                return self._verb_phrase()
            case "S":
                return self._clause()
            case "SQ":
                return self._inner_question()
            case "ADVP":
                often = self.subject is not None or self.draws.chance(40)
                return self.phrases.habit() if often else self.phrases.time()
            case "PP":
                return self.phrases.place(self.budget)
            case "SBAR":
                return self.phrases.subordinate(max(self.budget - 1, 0))
            case "WHNP":
                return self._question_word()
            case "MD" | "VBD" | "VBZ" | "VBP":
                return self._auxiliary(label)
        return self._particle(label)

    def _particle(self, label: str) -> Tree:
        match label:
            case "CC":
                return LINKS.draw(self.draws)
            case "RB":
                return PERHAPS.draw(self.draws)
            case "INTJ":
                return Tree(label, (CALLS.draw(self.draws),))
            case "WHADVP":
                return Tree(label, (REASONS.draw(self.draws),))
        return COMMA

    def _subject(self) -> Tree:
        if self.objectless:
            self.subject = self.phrases.noun_phrase("beings", self.budget, plural=self.plural)
        else:
            self.subject = self.phrases.subject(self.budget, plural=self.plural)
        return self.subject.tree

    def _verb_phrase(self) -> Tree:
        if self.objectless:
            kind = OBJECTS.draw(self.draws)
            return Tree("VP", (self.phrases.transitive(kind).base,))
        if self.subject is None:
            return self.phrases.bare_verb_phrase("beings", self.budget)
        if self.bare:
            return self.phrases.bare_verb_phrase(self.subject.kind, self.budget)
        return self.phrases.verb_phrase(self.subject, self.budget)

    def _clause(self) -> Tree:
        """One of two clauses; the second often takes up the subject of the first."""
        first = self.subject
        budget = max(self.budget - 1, 0)
        if first is not None and self.draws.chance(65):
            self.subject = self.phrases.pronoun(first.kind, plural=first.plural)
        else:
            self.subject = self.phrases.subject(budget)
        return self.phrases.clause(self.subject, budget)

    def _auxiliary(self, label: str) -> Tree:
        self.bare = True
        if label == "MD":
            return MODALS.draw(self.draws)
        self.plural = self.draws.chance(40) if label == "VBD" else label == "VBP"
        return DO.finite(past=label == "VBD", plural=self.plural)

    def _question_word(self) -> Tree:
        """Who asks for the subject; what asks for the object, which its verb then lacks."""
        if self.draws.chance(40):
            self.objectless = True
            return Tree("WHNP", (WHAT,))
        self.subject = Subject(Tree("WHNP", (WHO,)), "beings", False)
        return self.subject.tree

    def _inner_question(self) -> Tree:
        if self.subject is not None:
            return Tree("SQ", (self._verb_phrase(),))
        labels = (AUXILIARIES.draw(self.draws), "NP", "VP")
        return Tree("SQ", tuple(self.child(label) for label in labels))

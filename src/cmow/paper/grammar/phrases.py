"""Phrases of one sentence: who does what to whom, where, and since when."""

from collections.abc import Callable
from typing import NamedTuple

from cmow.paper.grammar.draws import Draws, Weighted
from cmow.paper.grammar.lexicon import Lexicon, Noun, Topic, Verb, leaf, tagged
from cmow.paper.grammar.tree import Tree

Form = Callable[[Verb], Tree]


class Subject(NamedTuple):
    """A noun phrase that a verb can agree with."""

    tree: Tree
    kind: str  # "beings", "goods" or "tools"
    plural: bool


KINDS = Weighted(("beings", "goods", "tools"), (80, 10, 10))
SINGULAR = tagged("DT", "the a this every each another")
PLURAL = tagged("DT", "the some these many all those several most both few")
POSSESSIVES = tagged("PRP$", "his their her our my your")
NUMERALS = tagged("CD", "two three four five six ten")
PRONOUNS = {
    ("beings", False): tagged("PRP", "he she"),
    ("beings", True): tagged("PRP", "they we you"),
    ("goods", False): tagged("PRP", "it"),
    ("goods", True): tagged("PRP", "they"),
    ("tools", False): tagged("PRP", "it"),
    ("tools", True): tagged("PRP", "they"),
}
OBJECT_PRONOUNS = tagged("PRP", "him them us me")
LINKS = tagged("CC", "and but so or yet")
PLACES = tagged("IN", "in near behind at inside outside beside around beyond")
SUBORDINATES = tagged("IN", "when because while although if before after until")
MODALS = tagged("MD", "can will must should may could would might")
AN, A = leaf("DT", "an"), leaf("DT", "a")
NOT, THAT, AND, WITH = leaf("RB", "not"), leaf("IN", "that"), leaf("CC", "and"), leaf("IN", "with")
WHO, WHOM, WHICH = leaf("WP", "who"), leaf("WP", "whom"), leaf("WDT", "which")
DO = Verb(leaf("VB", "do"), leaf("VBP", "do"), leaf("VBZ", "does"), leaf("VBD", "did"))
BE_SINGULAR = Verb(leaf("VB", "be"), leaf("VBP", "are"), leaf("VBZ", "is"), leaf("VBD", "was"))
BE_PLURAL = BE_SINGULAR._replace(past=leaf("VBD", "were"))


class Phrases:
    """The phrase builders of one sentence, which share its topic and its tense.

    A phrase takes a budget: how many levels of further phrases it may have inside.
    """

    def __init__(self, draws: Draws, words: Lexicon, *, topic: Topic, past: bool) -> None:
        self.draws = draws
        self.words = words
        self.topic = topic
        self.past = past

    def subject(self, budget: int, *, plural: bool | None = None) -> Subject:
        """Somebody or something that acts; a pronoun now and then."""
        kind = KINDS.draw(self.draws)
        if plural is None and self.draws.chance(6):
            return self.pronoun(kind, plural=self.draws.chance(50))
        return self.noun_phrase(kind, budget, plural=plural)

    def pronoun(self, kind: str, *, plural: bool) -> Subject:
        """A pronoun that stands for such a subject."""
        return Subject(Tree("NP", (PRONOUNS[kind, plural].draw(self.draws),)), kind, plural)

    def noun_phrase(self, kind: str, budget: int, *, plural: bool | None = None) -> Subject:
        """A noun with what describes it: adjectives, a place, a relative clause, a second noun."""
        draws = self.draws
        number = draws.chance(40) if plural is None else plural
        simple = self._simple(kind, plural=number)
        choice = draws.below(100) if budget else 100
        if choice < 14:
            return Subject(Tree("NP", (simple, self.place(budget - 1))), kind, number)
        if choice < 30:
            relative = self._relative(kind, budget - 1, plural=number)
            return Subject(Tree("NP", (simple, relative)), kind, number)
        if choice < 36 and plural is None:
            second = self._simple(kind, plural=draws.chance(40))
            return Subject(Tree("NP", (simple, AND, second)), kind, True)
        return Subject(simple, kind, number)

    def verb_phrase(self, subject: Subject, budget: int) -> Tree:
        """What a subject does, in the tense of the sentence."""
        past = self.past if self.draws.chance(90) else not self.past
        choice = self.draws.below(100)
        if choice < 8:
            return Tree(
                "VP", (MODALS.draw(self.draws), self.bare_verb_phrase(subject.kind, budget))
            )
        if choice < 15:
            auxiliary = DO.finite(past=past, plural=subject.plural)
            return Tree("VP", (auxiliary, NOT, self.bare_verb_phrase(subject.kind, budget)))
        if choice < 23:
            be = BE_PLURAL if subject.plural else BE_SINGULAR
            copula = be.finite(past=past, plural=subject.plural)
            return Tree("VP", (copula, self._description(subject.kind), *self._adjuncts(budget)))
        return self._verb_phrase(
            subject.kind, lambda verb: verb.finite(past=past, plural=subject.plural), budget
        )

    def bare_verb_phrase(self, kind: str, budget: int) -> Tree:
        """The same without tense, as after a modal."""
        return self._verb_phrase(kind, lambda verb: verb.base, budget)

    def transitive(self, kind: str) -> Verb:
        """A verb that beings do to such an object."""
        topic = self._some_topic()
        verbs = {"beings": topic.meetings, "goods": topic.uses, "tools": topic.crafts}[kind]
        return verbs.draw(self.draws)

    def clause(self, subject: Subject, budget: int) -> Tree:
        """A subject and what it does."""
        return Tree("S", (subject.tree, self.verb_phrase(subject, budget)))

    def subordinate(self, budget: int) -> Tree:
        """A clause that says when or why."""
        link = SUBORDINATES.draw(self.draws)
        return Tree("SBAR", (link, self.clause(self.subject(budget), budget)))

    def place(self, budget: int) -> Tree:
        """Where something is."""
        preposition = PLACES.draw(self.draws)
        return Tree("PP", (preposition, self.noun_phrase("places", budget).tree))

    def time(self) -> Tree:
        """When something happens, in agreement with the tense."""
        times = self.words.past_times if self.past else self.words.present_times
        return Tree("ADVP", (times.draw(self.draws),))

    def habit(self) -> Tree:
        """How often something happens."""
        return Tree("ADVP", (self.words.habits.draw(self.draws),))

    def _some_topic(self) -> Topic:
        return self.words.topics.draw(self.draws) if self.draws.chance(10) else self.topic

    def _simple(self, kind: str, *, plural: bool) -> Tree:
        draws = self.draws
        nouns: Weighted[Noun] = getattr(self._some_topic(), kind)
        noun = nouns.draw(draws)
        parts = [noun.plural if plural else noun.singular]
        while len(parts) < 3 and draws.chance(32):
            parts.append(self._adjective(kind))
        if plural and draws.chance(8):
            parts.append(NUMERALS.draw(draws))
        if draws.chance(12):
            parts.append(POSSESSIVES.draw(draws))
        elif not plural or parts[-1].label != "CD":
            parts.append(self._determiner(parts[-1], plural=plural))
        return Tree("NP", tuple(reversed(parts)))

    def _determiner(self, follower: Tree, *, plural: bool) -> Tree:
        determiner = (PLURAL if plural else SINGULAR).draw(self.draws)
        return AN if determiner == A and follower.word[0] in "aeiou" else determiner

    def _adjective(self, kind: str) -> Tree:
        if kind == "places" or self.draws.chance(40):
            return self.words.adjectives.draw(self.draws)
        topic = self._some_topic()
        return (topic.traits if kind == "beings" else topic.qualities).draw(self.draws)

    def _description(self, kind: str) -> Tree:
        return Tree("ADJP", (self._adjective(kind),))

    def _relative(self, kind: str, budget: int, *, plural: bool) -> Tree:
        if kind == "places" or self.draws.chance(30):
            return self._object_relative(kind, budget)
        pronoun = WHO if kind == "beings" else WHICH
        subject = Subject(Tree("WHNP", (pronoun,)), kind, plural)
        return Tree("SBAR", (subject.tree, Tree("S", (self.verb_phrase(subject, budget),))))

    def _object_relative(self, kind: str, budget: int) -> Tree:
        subject = self.noun_phrase("beings", budget)
        verb = self.transitive("goods" if kind == "places" else kind)
        finite = verb.finite(past=self.past, plural=subject.plural)
        pronoun = Tree("WHNP", (WHOM if kind == "beings" else WHICH,))
        return Tree("SBAR", (pronoun, Tree("S", (subject.tree, Tree("VP", (finite,))))))

    def _verb_phrase(self, kind: str, form: Form, budget: int) -> Tree:
        if kind == "beings":
            head = self._action(form, budget)
        elif self.draws.chance(50):
            effect = form(self.words.effects.draw(self.draws))
            head = (effect, self.noun_phrase("beings", budget).tree)
        else:
            head = (form(self.words.events.draw(self.draws)),)
        return Tree("VP", (*head, *self._adjuncts(budget)))

    def _action(self, form: Form, budget: int) -> tuple[Tree, ...]:
        choice = self.draws.below(100)
        if choice < 16:
            return (form(self._some_topic().moves.draw(self.draws)),)
        if choice < 28 and budget:
            report = form(self.words.reports.draw(self.draws))
            clause = self.clause(self.subject(budget - 1), budget - 1)
            return (report, Tree("SBAR", (THAT, clause)))
        kind = "beings" if choice < 62 else "goods" if choice < 82 else "tools"
        verb = form(self.transitive(kind))
        if kind == "beings" and self.draws.chance(8):
            return (verb, Tree("NP", (OBJECT_PRONOUNS.draw(self.draws),)))
        return (verb, self.noun_phrase(kind, budget).tree)

    def _adjuncts(self, budget: int) -> list[Tree]:
        draws = self.draws
        adjuncts = []
        if draws.chance(12):
            adjuncts.append(Tree("ADVP", (self.words.manners.draw(draws),)))
        if draws.chance(18):
            adjuncts.append(self.place(max(budget - 1, 0)))
        if draws.chance(6):
            instrument = self.noun_phrase("tools", max(budget - 1, 0)).tree
            adjuncts.append(Tree("PP", (WITH, instrument)))
        if draws.chance(8):
            adjuncts.append(self.time())
        if budget > 1 and draws.chance(10):
            adjuncts.append(self.subordinate(budget - 2))
        return adjuncts

"""Analyses by dependency trees."""

from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.constituents import top_constituents
from cmow.paper.probing.parse import AUXILIARIES, Parse

FINITE = ("VBD", "VBZ", "VBP")


def analyse_parse(parse: Parse) -> Analysis | None:
    """What a dependency tree says; None if the words do not hang together in one."""
    root = parse.root
    if root is None:
        return None
    single = parse.tags[root].startswith("VB") and not any(
        parse.has_subject(clause) for clause in parse.children(root, "conj")
    )
    alone = not parse.children(root, *AUXILIARIES)
    finite = single and alone and parse.tags[root] in FINITE
    return Analysis(
        text=" ".join(parse.words),
        tags=" ".join(parse.tags),
        depth=parse.depth(),
        top=top_constituents(parse, root),
        subject=_noun(parse, root, "nsubj", "nsubjpass") if single else None,
        verb=root if finite else None,
        object=_noun(parse, root, "dobj") if single else None,
        clauses=_clauses(parse, root),
    )


def _noun(parse: Parse, root: int, *relations: str) -> int | None:
    """The only dependent of such a relation, if it is a common noun without a second one."""
    found = parse.children(root, *relations)
    if len(found) != 1 or parse.tags[found[0]] not in ("NN", "NNS"):
        return None
    return None if parse.children(found[0], "conj") else found[0]


def _clauses(parse: Parse, root: int) -> tuple[int, int] | None:
    """Where one of two clauses ends and the other begins, if these are all of the sentence.

    The sentence has no other conjunction, and ends with a full stop or the like.
    """
    links, clauses = parse.children(root, "cc"), parse.children(root, "conj")
    final = len(parse.words) - 1
    if len(links) != 1 or len(clauses) != 1 or list(parse.tags).count("CC") != 1:
        return None
    (link,), (clause,) = links, clauses
    second = [position for position in parse.phrase(clause) if position != final]
    if second != list(range(link + 1, final)) or parse.tags[final] != ".":
        return None
    if link < root or parse.tags[link] != "CC":
        return None
    if not parse.has_subject(root) or not parse.has_subject(clause):
        return None
    return (link - 1 if parse.words[link - 1] == "," else link), link + 1

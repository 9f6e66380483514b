"""The counterpart of top constituents in a dependency tree: what a treebank would have there."""

from cmow.paper.probing.parse import AUXILIARIES, SUBJECTS, Parse

BY_RELATION = {
    **dict.fromkeys(("nsubj", "nsubjpass", "expl", "dobj", "attr", "npadvmod", "dative"), "NP"),
    **dict.fromkeys(("ccomp", "xcomp", "parataxis"), "S"),
    **dict.fromkeys(("prep", "agent"), "PP"),
    **dict.fromkeys(("cc", "preconj"), "CC"),
    "advmod": "ADVP",
    "acomp": "ADJP",
    "relcl": "SBAR",
    "acl": "VP",
    "neg": "RB",
    "mark": "IN",
    "prt": "PRT",
    "intj": "INTJ",
}
BY_TAG = {
    "N": "NP",
    "P": "NP",
    "D": "NP",
    "C": "NP",
    "J": "ADJP",
    "R": "ADVP",
    "I": "PP",
    "U": "INTJ",
}
WH_PHRASES = {"NP": "WHNP", "ADVP": "WHADVP", "ADJP": "WHADJP", "PP": "WHPP"}
WH_TAGS = ("WP", "WDT", "WP$", "WRB")
INSIDE_NOUN_PHRASE = frozenset(
    {"det", "amod", "compound", "poss", "nummod", "nmod", "predet", "quantmod", "case", "advmod"}
)


def top_constituents(parse: Parse, root: int) -> str:
    """The labels of the phrases that a sentence consists of, such as NP_VP_."""
    if any(parse.has_subject(clause) for clause in parse.children(root, "conj")):
        labels = _clauses(parse, root)
    elif parse.tags[root][0] in "VM":
        labels = _clause(parse, root)
    else:
        labels = _fragment(parse, root)
    final = len(parse.words) - 1
    if parse.tags[final] == "." and final != root:
        labels.append(".")
    return "_".join(labels)


def _clauses(parse: Parse, root: int) -> list[str]:
    """Coordinate clauses and what stands between them."""
    clauses = [c for c in parse.children(root, "conj") if parse.has_subject(c)]
    labels = ["CC"] if parse.relations[0] == "cc" else []
    labels.append("S")
    for clause in clauses:
        start = parse.phrase(clause)[0]
        before = start
        while before > root and parse.relations[before - 1] in ("cc", "punct"):
            before -= 1
        labels += [parse.tags[position] for position in range(before, start)]
        labels.append("S")
    return labels


def _clause(parse: Parse, root: int) -> list[str]:
    """What comes before the verb phrase, and that; the question proper behind a question word."""
    left = [child for child in parse.children(root) if child < root]
    subjects = [child for child in left if parse.relations[child] in SUBJECTS]
    after = subjects[-1] if subjects else -1
    helpers = [c for c in left if c > after and parse.relations[c] in (*AUXILIARIES, "neg")]
    start = min([*helpers, root])
    labels = [_label(parse, child) for child in left if child < start]
    question = parse.words[-1] == "?"
    if question and not subjects and parse.has_subject(root):
        rest = [c for c in parse.children(root) if c > root and parse.relations[c] != "punct"]
        labels += [parse.tags[root], *(_label(parse, child) for child in rest)]
    else:
        labels.append("VP")
    if question and parse.tags[0] in WH_TAGS:
        asked = "WHADVP" if parse.tags[0] == "WRB" else "WHNP"
        return [labels[0] if labels[0].startswith("WH") else asked, "SQ"]
    return labels


def _fragment(parse: Parse, root: int) -> list[str]:
    """The phrases of a sentence without a verb."""
    final = len(parse.words) - 1
    before = [c for c in parse.children(root) if c < root]
    after = [c for c in parse.children(root) if c > root]
    if after and after[-1] == final and parse.tags[final] == ".":
        after.pop()
    return [
        *(_label(parse, c) for c in before if parse.relations[c] not in INSIDE_NOUN_PHRASE),
        BY_TAG.get(parse.tags[root][0], parse.tags[root]),
        *(_label(parse, c) for c in after),
    ]


def _label(parse: Parse, position: int) -> str:
    """The label of the phrase that a word heads."""
    relation, tag = parse.relations[position], parse.tags[position]
    first = parse.phrase(position)[0]
    if relation in AUXILIARIES or relation == "punct":
        return tag
    if relation in ("advcl", "csubj", "csubjpass"):
        return "SBAR" if parse.tags[first] in ("IN", *WH_TAGS) else "S"
    label = BY_RELATION.get(relation) or BY_TAG.get(tag[0], tag)
    second = parse.tags[min(first + 1, position)] if label == "PP" else ""
    if parse.tags[first] in WH_TAGS or second in WH_TAGS:
        return WH_PHRASES.get(label, label)
    return label

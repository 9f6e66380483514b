"""What `cmow demo` shows first: the model that comes with the package, at work."""

from typing import TYPE_CHECKING

from cmow.cli.demo_output import CANNOT_TELL, bar, heading, sentences
from cmow.pluralize import pluralize

if TYPE_CHECKING:
    from rich.console import Console

    from cmow.encoder import Encoder
    from cmow.paper.demo import Answer, Choice, Look, Pace

BAG, ORDER = "order=0, a bag of words", "order=1, the words' order"
WIDTH = len(ORDER)
SHOWN_GROUPS = 2


def show_english(console: "Console", encoder: "Encoder") -> None:
    """What the model finds, what it tells apart, and how fast it is, on sentences of our own."""
    from cmow.paper.demo import NOTICES, answers, choices, pace, paired_notices

    heading(
        console,
        "1. The model that comes with the package",
        f"It finds what is meant, not what is spelled alike. Among {len(NOTICES)} notices:",
    )
    _show_answers(console, answers(encoder))
    heading(
        console,
        "",
        "It knows the order of words. How far is the second text from the first? 100 is the "
        "distance between two notices.",
    )
    _show_pairs(console, encoder)
    heading(console, "", "So it can choose between two texts of the same words:")
    for choice in choices(encoder):
        _show_choice(console, choice)
    _show_pace(console, pace(encoder, paired_notices()))


def show_look(console: "Console", look: "Look", source: str) -> None:
    """What the model says of a text of one's own."""
    heading(
        console,
        "1. What the model that comes with the package says of your text",
        f"It is English and was not trained on it. Of {look.texts:,} lines of {source} these are "
        "alike in what they say, and share few words:",
    )
    _show_answers(console, look.similar)
    groups = pluralize(len(look.duplicates), "group")
    heading(console, "", f"Near-duplicates: {groups} of lines that say nearly the same.")
    for group in look.duplicates[:SHOWN_GROUPS]:
        first, second, *_ = group
        sentences(console, [first.entry.text])
        sentences(console, [second.entry.text], indent=10, mark=f"    {second.similarity:.2f}")
    if look.order:
        heading(
            console,
            "",
            f"Word order: {look.order.questions:,} sentences, each without its longest word, and "
            "the same with two neighbors swapped. Which of the two is nearer to the sentence? Bars "
            "begin where guessing ends, at 50.",
        )
        for name, right in ((BAG, look.order.bag), (ORDER, look.order.order)):
            told = f"{right:.1f}" + ("" if right > 50 else f"  {CANNOT_TELL}")
            bar(console, name, max(0.0, right - 50) / 50, told, width=WIDTH)
    _show_pace(console, look.pace)


def _show_answers(console: "Console", found: "list[Answer]") -> None:
    for answer in found:
        sentences(console, [answer.question])
        sentences(console, [answer.text], indent=10, mark=f"    {answer.cosine:.2f}")


def _show_pairs(console: "Console", encoder: "Encoder") -> None:
    from cmow.paper.demo import NOTICES, PAIRS, distances_from

    for pair in PAIRS:
        sentences(console, [pair.sentence, pair.others[0][0]])
        for name, half in ((BAG, encoder.bag()), (ORDER, encoder.order())):
            [value] = distances_from(pair, half, sentences=NOTICES)
            told = f"{value:.1f}" if value else f"0  {CANNOT_TELL}"
            bar(console, name, value / 100, told, width=WIDTH)


def _show_choice(console: "Console", choice: "Choice") -> None:
    sentences(console, [choice.question])
    right, wrong = ("<- nearer", "") if choice.is_right else ("", "<- nearer, and wrong")
    for text, bag, order, told in zip(
        (choice.meant, choice.other), choice.bag, choice.order, (right, wrong), strict=True
    ):
        line = f"    {text:<32} bag {bag:.2f}, order {order:.2f}  {told}"
        console.print(line.rstrip(), soft_wrap=True)
    if not choice.is_right:
        console.print("It knows order, not grammar: the passive still misleads it.")


def _show_pace(console: "Console", found: "Pace") -> None:
    from cmow.threads import usable_cores

    heading(
        console,
        "",
        f"It is fast: {found.texts:,} texts of {found.words:.0f} words in {found.seconds:.2f} s, "
        f"{found.rate:,.0f} a second on {pluralize(usable_cores(), 'core')}.",
    )

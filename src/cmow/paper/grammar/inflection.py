"""Regular English inflection of nouns and verbs."""

VOWELS = "aeiou"


def plural(noun: str) -> str:
    """The regular plural: dog, dogs; box, boxes; lady, ladies."""
    return _with_s(noun)


def third_person(verb: str) -> str:
    """The third person singular: chase, chases; wash, washes; carry, carries."""
    return _with_s(verb)


def past(verb: str) -> str:
    """The regular past tense: chase, chased; carry, carried; hug, hugged."""
    if verb.endswith("e"):
        return verb + "d"
    if _ends_in_consonant_y(verb):
        return verb[:-1] + "ied"
    if _doubles(verb):
        return verb + verb[-1] + "ed"
    return verb + "ed"


def _with_s(word: str) -> str:
    if word.endswith(("s", "x", "z", "ch", "sh")):
        return word + "es"
    if _ends_in_consonant_y(word):
        return word[:-1] + "ies"
    return word + "s"


def _ends_in_consonant_y(word: str) -> bool:
    return word.endswith("y") and word[-2] not in VOWELS


def _doubles(verb: str) -> bool:
    """Whether a verb of one syllable ends in consonant, vowel, consonant."""
    return (
        sum(letter in VOWELS for letter in verb) == 1
        and verb[-1] not in VOWELS + "wxy"
        and verb[-2] in VOWELS
    )

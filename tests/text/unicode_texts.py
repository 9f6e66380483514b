"""Texts that are hard to split."""

from hypothesis import strategies as st

SPACES = "\t\n\r\x0b\x0c\x1c\x1f \x85\xa0\u1680\u2003\u2028\u202f\u3000\u200b\ufeff"
PUNCTUATION = "''''’‘-—‐…..,,``\"“”$%@#_/&\0"
LETTERS = "nNtTsSmMdDlLrReEvVcCaAoOgGwWiIéßΣσςİıſKÅǅдЖאب中のไก𝒜ＡⅣⓐ"
NUMBERS = "0123456789٣²½Ⅳ四"
MARKS = "\u0301\u0307\u20e3\ufe0f\u200c\u200d\u0e31"
EMOJI = "😀👩🏽🎉❤☎"
FRAGMENTS = """n't 's 'll 're 've 'd 'm can't cannot gonna GOTTA dogs' o'clock '70s U.S. e.g. a.b.Cd
1,000.5 3.x well-known rock'n'roll ... .... -- --- `` ''"""

characters = st.one_of(
    st.sampled_from(SPACES + PUNCTUATION + LETTERS + NUMBERS + MARKS + EMOJI),
    st.characters(exclude_categories=["Cs", "Cn"]),
)
texts = st.lists(st.one_of(characters, st.sampled_from(FRAGMENTS.split())), max_size=30).map(
    "".join
)

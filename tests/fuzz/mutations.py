"""Ways to damage a file: bytes, ranges of them, and numbers, words and brackets of texts."""

import re
from collections.abc import Callable

from hypothesis import strategies as st

Mutation = Callable[[bytes], bytes]

EDGES = [b"\x00", b"\xff", b"\x7f", b"\x80", b"\xff" * 4, b"\xff" * 8, b"\x00" * 8, b"\x7f" * 8]
WORDS = [
    b"-1", b"0", b"1e999", b"-1e999", b"NaN", b"nan", b"inf", b"9" * 20, b"9" * 5000, b"2147483648",
    b"9223372036854775808", b"null", b"true", b'""', b'"\\ud800"', b"[]", b"{}", b"[" * 300,
    b"[" * 3000 + b"]" * 3000, b'{"a":' * 200 + b"1" + b"}" * 200, b"\xff\xfe", b"\xed\xa0\x80",
    b"\t", b"\n", b"\r", b'"', b",", b"\xef\xbb\xbf", b"\xe2\x80\xa8", b"../../x", b"a.b" * 200,
]  # fmt: skip
TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|[A-Za-z_]+|[\[\]{}:,]|\s')

places = st.integers(0, 2**32)
fillings = st.one_of(st.binary(min_size=1, max_size=8), st.sampled_from(EDGES + WORDS))
lengths = st.one_of(st.integers(0, 8), st.integers(0, 2**32))


@st.composite
def mutations(draw: st.DrawFn) -> Mutation:
    """One damage or a few."""
    steps = draw(st.lists(st.one_of(*KINDS), min_size=1, max_size=3))

    def mutate(data: bytes) -> bytes:
        for step in steps:
            data = step(data)
        return data

    return mutate


def _flip(place: int, bit: int) -> Mutation:
    def flip(data: bytes) -> bytes:
        at = place % max(len(data), 1)
        return data[:at] + bytes(byte ^ 1 << bit for byte in data[at : at + 1]) + data[at + 1 :]

    return flip


def _replace(place: int, length: int, filling: bytes) -> Mutation:
    def replace(data: bytes) -> bytes:
        at = place % (len(data) + 1)
        return data[:at] + filling + data[at + length % (len(data) + 1 - at) :]

    return replace


def _repeat(place: int, length: int, times: int) -> Mutation:
    def repeat(data: bytes) -> bytes:
        at = place % (len(data) + 1)
        piece = data[at : at + 1 + length % 4096]
        return data[:at] + piece * times + data[at:]

    return repeat


def _retell(place: int, word: bytes) -> Mutation:
    """Put something else in the place of a number, a name or a bracket."""

    def retell(data: bytes) -> bytes:
        tokens = list(TOKEN.finditer(data[: 1 << 16]))
        if not tokens:
            return word
        chosen = tokens[place % len(tokens)]
        return data[: chosen.start()] + word + data[chosen.end() :]

    return retell


KINDS = [
    st.builds(_flip, places, st.integers(0, 7)),
    st.builds(_replace, places, st.just(0), fillings),
    st.builds(_replace, places, lengths, st.one_of(st.just(b""), fillings)),
    st.builds(_repeat, places, lengths, st.integers(1, 300)),
    st.builds(_retell, places, st.sampled_from(WORDS)),
]

"""The native WordPiece gives what the `tokenizers` library gives for the same file."""

import itertools
import json
import pickle
import random
import re
from pathlib import Path

import numpy as np
import pytest
import tokenizers
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tokenizers import AddedToken, decoders, models, normalizers, pre_tokenizers, processors
from unicode_texts import texts as hard_texts

from cmow.text import Tokenizer
from cmow.text.custom import CustomSplitting
from cmow.text.wordpiece import WordPieceSplitting, plan_of

CORE = Path(__file__).parents[2] / "core"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
PIECES = """the cat sat on mat a un ##believ ##able ##s ##ing token ##ization cafe naive stra
##ße 東 京 . , ' - [ ] ! ? ## # ##a ##e uber über ##é don t s [cls] i ##i̇"""
SOME_PIECES = PIECES.split()
REAL_WORDS = """The the cat CAT sat, mats. un-believable unbelievables Tokenization's CAFÉ naïve
Straße über Über... 東京都 don't (on) [CLS] [MASK] [UNK] [cls] [ [CLS [CLS][SEP] 3.14 user@host
https://cats.example/?a=1 \u200bmat\u200d I'm İstanbul x"""
BERT = normalizers.BertNormalizer()
BERT_SPLITTER = pre_tokenizers.BertPreTokenizer()
BERT_OPTIONS = list(
    itertools.product([True, False], [True, False], [None, True, False], [True, False])
)

# All planes, and what the normalizer treats in a way of its own.
marks = st.characters(categories=["Mn", "Mc", "Me"])
chinese = st.sampled_from("東京中文字㐀豈丽\U00020000\U0002b920\U0002b820\U0002f800\u9fff\u4dbf")
controls = st.characters(categories=["Cc", "Cf", "Co", "Zs", "Zl", "Zp"]) | st.just("\ufffd")
composed = st.sampled_from("éÅǅộṩ각힣ཱི\u0344ৌ𝅘𝅥𝅮𝆹𝅥İẞΐΆ\u212b\ufb2cਲ਼\u0f76\u0c48")
stubborn_marks = st.sampled_from("\u302e\u302f\U0001d165\U0001d16d\u1b44\u034f\u0301\u0316\u08d9")
ordinary = st.sampled_from(
    ["the ", "Unbelievable ", "tokenization", "[CLS]", "[UNK]", "don't", " "]
)
texts = st.one_of(
    hard_texts,
    st.lists(
        st.one_of(
            st.characters(exclude_categories=["Cs"]),
            *(marks, chinese, controls, composed, stubborn_marks, ordinary),
        ),
        max_size=30,
    ).map("".join),
)
normalizers_of_both = st.one_of(
    st.sampled_from(BERT_OPTIONS).map(lambda options: normalizers.BertNormalizer(*options)),
    st.just(None),
    st.builds(normalizers.Lowercase),
)
splitters_of_both = st.sampled_from([BERT_SPLITTER, pre_tokenizers.WhitespaceSplit()])


def word_piece(
    pieces=SOME_PIECES,
    *,
    normalizer=BERT,
    splitter=BERT_SPLITTER,
    **model,
):
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys([*SPECIAL, *pieces]))}
    library = tokenizers.Tokenizer(models.WordPiece(vocabulary, **{"unk_token": "[UNK]", **model}))
    if normalizer is not None:
        library.normalizer = normalizer
    library.pre_tokenizer = splitter
    library.add_special_tokens(SPECIAL)
    return library


def described(library):
    return json.loads(library.to_str())


def both(description):
    """The native path and the library's for one file."""
    plan = plan_of(description)
    assert plan is not None
    return WordPieceSplitting(description, plan, None), CustomSplitting(description, None)


def assert_same(ids, others):
    np.testing.assert_array_equal(ids.flat, others.flat)
    np.testing.assert_array_equal(ids.offsets, others.offsets)
    assert ids.discarded == others.discarded


def assert_equal_paths(description, batch):
    native, fallback = both(description)
    assert native.vocabulary.words == fallback.vocabulary.words
    assert native.split(batch) == fallback.split(batch)
    assert_same(native.ids(batch, threads=1), fallback.ids(batch, threads=1))


def words_of(library, batch):
    """The words whose pieces the model is asked for."""
    normalize = library.normalizer.normalize_str if library.normalizer else str
    return {
        word
        for text in batch
        for word, _ in library.pre_tokenizer.pre_tokenize_str(normalize(text))
    }


@settings(max_examples=400, deadline=None)
@given(
    st.lists(texts, max_size=5),
    normalizers_of_both,
    splitters_of_both,
    st.sampled_from(["##", "", "é"]),
    st.sampled_from([0, 3, 100]),
    st.randoms(use_true_random=False),
)
def test_ids_are_those_of_the_library(batch, normalizer, splitter, prefix, longest, chance):
    frame = word_piece(normalizer=normalizer, splitter=splitter)
    pieces = []
    for word in sorted(words_of(frame, batch)):
        cuts = sorted({0, len(word), *(chance.randrange(len(word)) for _ in range(2))})
        for start, stop in itertools.combinations(cuts, 2):
            if chance.random() < 0.8:
                pieces.append((prefix if start else "") + word[start:stop])
    library = word_piece(
        pieces,
        normalizer=normalizer,
        splitter=splitter,
        continuing_subword_prefix=prefix,
        max_input_chars_per_word=longest,
    )
    assert_equal_paths(described(library), batch)


@pytest.mark.parametrize("options", BERT_OPTIONS)
def test_words_are_those_of_the_library(options):
    """A vocabulary of all characters that occur shows each of them."""
    normalizer = normalizers.BertNormalizer(*options)

    @example(batch=["\u302e\x1f\U0001d165"])  # marks that are neighbors once the text is clean
    @settings(max_examples=100, deadline=None)
    @given(st.lists(texts, min_size=1, max_size=5))
    def check(batch):
        found = sorted(set("".join(words_of(word_piece(normalizer=normalizer), batch))))
        library = word_piece([*found, *(f"##{each}" for each in found)], normalizer=normalizer)
        assert_equal_paths(described(library), batch)

    check()


def made_with():
    return re.search(r"tokenizers (\S+);", (CORE / "unicode.hpp").read_text()).group(1)


@pytest.mark.skipif(tokenizers.__version__ != made_with(), reason="another version of Unicode")
@pytest.mark.parametrize(
    "normalizer",
    [
        normalizers.BertNormalizer(),
        normalizers.BertNormalizer(strip_accents=False),
        normalizers.BertNormalizer(clean_text=False, lowercase=False, strip_accents=True),
    ],
)
def test_every_code_point_is_taken_as_by_the_library(normalizer):
    dense = [*range(0xD800), *range(0xE000, 0x20000), *range(0xE0000, 0xE0200)]
    codes = [*dense, *range(0x20000, 0x110000, 251)]
    for start in range(0, len(codes), 8000):
        batch = [f"a{chr(code)}B\u302e{chr(code)}" for code in codes[start : start + 8000]]
        found = sorted(set("".join(words_of(word_piece(normalizer=normalizer), batch))))
        pieces = [*found, *(f"##{each}" for each in found)]
        assert_equal_paths(described(word_piece(pieces, normalizer=normalizer)), batch)


def test_marks_are_in_the_canonical_order():
    marks = "\u302e\U0001d165\U0001d16d\u1b44\u034f\u0301\u0316\u08d9\u0c48\U0001d160\u4e00"
    batch = ["".join(row) for row in itertools.product(marks, repeat=4)]
    library = word_piece([*marks, *(f"##{mark}" for mark in marks), "\U0001d158", "##\U0001d158"])
    library.normalizer = normalizers.BertNormalizer(clean_text=False)
    assert_equal_paths(described(library), batch)


def test_texts_that_look_real():
    chance = random.Random(1)
    words = REAL_WORDS.split()
    batch = [" ".join(chance.choices(words, k=25)) for _ in range(500)]
    pieces = [*SOME_PIECES, *"abcdefghijklmnopqrstuvwxyz0123456789", "##t", "##x", "##up", "##at"]
    for options in BERT_OPTIONS:
        description = described(word_piece(pieces, normalizer=normalizers.BertNormalizer(*options)))
        assert_equal_paths(description, batch)


def with_added(*tokens, **options):
    library = word_piece()
    library.add_tokens([AddedToken(token, **{"normalized": False, **options}) for token in tokens])
    return described(library)


ADDED = {
    "in the vocabulary": with_added("the", "##s", "東"),
    "beyond it": with_added("<new>", "<newer>", "new"),
    "one in another": with_added("<<", "<", "<<<a", "a"),
    "stripping": with_added("<l>", "new", lstrip=True, rstrip=True),
    "special": with_added("<l>", "new", special=True),
    "an unknown that is a word": described(word_piece(unk_token="a")),
}


@pytest.mark.parametrize("name", ADDED)
@settings(max_examples=100, deadline=None)
@given(
    pieces=st.lists(
        st.one_of(
            st.sampled_from(
                ["the", "a", "THE", "<new>", "<newer>", "new", "<", "<<a", "<l>", "<r>"]
            ),
            st.sampled_from(["##s", "[UNK]", "[CLS]", "東", " ", "\t", "\u0301", "\u302e", "x"]),
        )
    )
)
def test_added_tokens_come_first(name, pieces):
    assert_equal_paths(ADDED[name], ["".join(pieces)])


def test_many_texts_are_the_same_for_any_number_of_threads():
    native, fallback = both(described(word_piece()))
    batch = [f"The cats {i} sat on unbelievable mats 東" for i in range(3000)]
    expected = fallback.ids(batch, threads=1)
    for threads in (1, 2, 5):
        assert_same(native.ids(batch, threads=threads), expected)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.binary(max_size=8) | texts.map(str.encode), max_size=8).map(b"".join),
    st.sampled_from(BERT_OPTIONS),
)
def test_lines_of_a_block_are_texts_whatever_its_bytes(block, options):
    normalizer = normalizers.BertNormalizer(*options)
    pieces = [*SOME_PIECES, "\ufffd", "##\ufffd"]
    native, fallback = both(described(word_piece(pieces, normalizer=normalizer)))
    for ended in (block, block + b"\n", block + b"\r\n", block.replace(b" ", b"\n")):
        assert_same(native.ids_of_lines(ended), fallback.ids_of_lines(ended))


def test_a_large_vocabulary_is_matched_to_its_longest_pieces():
    chance = random.Random(2)
    syllables = ["".join(pair) for pair in itertools.product("bcdfgklmnprst", "aeiouäöü")]
    words = ["".join(chance.choices(syllables, k=chance.randint(1, 4))) for _ in range(20_000)]
    pieces = [word if chance.random() < 0.5 else f"##{word}" for word in words]
    batch = [" ".join(chance.choices(words, k=20)) for _ in range(300)]
    normalizer = normalizers.BertNormalizer(lowercase=False)
    assert_equal_paths(described(word_piece(pieces, normalizer=normalizer)), batch)


@pytest.mark.parametrize(
    "processor",
    [
        processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2)),
        processors.RobertaProcessing(("[SEP]", 3), ("[CLS]", 2)),
        processors.TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
        ),
    ],
)
def test_no_special_tokens_padding_or_truncation(processor):
    library = word_piece()
    library.post_processor = processor
    library.decoder = decoders.WordPiece()
    library.enable_padding(length=50)
    library.enable_truncation(3)
    assert_equal_paths(described(library), ["The cat sat on a mat.", "", "the"])


def changed(library, **parts):
    for name, part in parts.items():
        setattr(library, name, part)
    return described(library)


def edited(change):
    description = described(word_piece())
    change(description)
    return description


BEYOND = {
    "another normalizer": lambda: changed(word_piece(), normalizer=normalizers.NFKC()),
    "another splitter": lambda: changed(word_piece(), pre_tokenizer=pre_tokenizers.Whitespace()),
    "a template with the text twice": lambda: changed(
        word_piece(), post_processor=processors.TemplateProcessing(single="$A $A")
    ),
    "another processor": lambda: changed(word_piece(), post_processor=processors.ByteLevel()),
    "another decoder": lambda: changed(word_piece(), decoder=decoders.ByteLevel()),
    "an added token that is normalised": lambda: with_added("Cat", normalized=True),
    "an added token that is a word": lambda: with_added("at", single_word=True),
    "an added token with white space": lambda: with_added("on a"),
    "an added token of another id": lambda: edited(
        lambda description: description["added_tokens"][0].update(id=77)
    ),
    "a gap between ids": lambda: edited(
        lambda description: description["model"]["vocab"].update({"sat": 70})
    ),
    "two pieces of one id": lambda: edited(
        lambda description: description["model"]["vocab"].update({"catty": 5})
    ),
}


@pytest.mark.parametrize("name", BEYOND)
def test_what_is_beyond_the_native_path_is_the_librarys(name, tmp_path):
    description = BEYOND[name]()
    assert plan_of(description) is None
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(description))
    batch = ["The cat sat on a mat.", "Cat at"]
    assert_same(
        Tokenizer.from_file(path).ids(batch), CustomSplitting(description, None).ids(batch, 1)
    )


def test_a_file_without_its_unknown_token_is_the_librarys():
    assert plan_of(described(word_piece(unk_token="none such"))) is None


def test_a_tokenizer_of_such_a_file_is_native_and_saved_as_it_was(tmp_path):
    path = tmp_path / "tokenizer.json"
    word_piece().save(str(path))
    tokenizer = Tokenizer.from_file(path, counts=range(len(SPECIAL) + len(SOME_PIECES)))
    assert isinstance(tokenizer._splitting, WordPieceSplitting)
    assert tokenizer.kind == "custom"
    assert tokenizer.vocabulary.counts[3] == 3
    assert tokenizer.split(["The cats!", "Dogs"]) == [["the", "cat", "##s", "!"], ["[UNK]"]]
    tokenizer.save(tmp_path / "saved.json")
    saved = tokenizers.Tokenizer.from_file(str(tmp_path / "saved.json"))
    assert saved.to_str() == tokenizers.Tokenizer.from_file(str(path)).to_str()
    again = Tokenizer.from_file(tmp_path / "saved.json")
    assert again.to_json() == tokenizer.to_json()


def test_the_order_in_a_file_does_not_matter():
    description = described(word_piece())
    vocabulary = description["model"]["vocab"]
    turned = {**description, "model": {**description["model"], "vocab": {}}}
    turned["model"]["vocab"].update(reversed(vocabulary.items()))
    native, other = both(description)[0], both(turned)[0]
    assert native.to_json() == other.to_json()
    assert native.split(["The cats sat"]) == other.split(["The cats sat"])


def test_it_is_pickled(tmp_path):
    path = tmp_path / "tokenizer.json"
    word_piece().save(str(path))
    tokenizer = Tokenizer.from_file(path)
    copy = pickle.loads(pickle.dumps(tokenizer))
    assert copy.to_json() == tokenizer.to_json()
    assert_same(copy.ids(["The cats sat."]), tokenizer.ids(["The cats sat."]))


@pytest.mark.parametrize("bad", [["a", 1], "text", ["\ud800"], None])
def test_what_is_no_text_is_named(bad):
    for path in both(described(word_piece())):
        with pytest.raises((TypeError, ValueError), match=r"^texts"):
            path.ids(bad, threads=1)

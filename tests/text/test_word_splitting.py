"""What the tokenizer for raw text makes of English, and that tokenized text stays as it is."""

import pytest

from cmow.text import Tokenizer, Vocabulary

TREEBANK = [
    ("I don't think it's his.", "I do n't think it 's his ."),
    ("We'll see: they're late", "We 'll see : they 're late"),
    ("I've waited, he'd go, I'm off", "I 've waited , he 'd go , I 'm off"),
    ("She can't, won't and shouldn't've", "She ca n't , wo n't and should n't 've"),
    ("I cannot; you're gonna", "I can not ; you 're gon na"),
    ("we gotta, I wanna: gimme, lemme", "we got ta , I wan na : gim me , lem me"),
    ("CANNOT CAN'T IT'S", "CAN NOT CA N'T IT 'S"),
    ("cannoth uncannot cannot's", "cannoth uncannot can not 's"),
    ("It’s the dogs’ bowl, isn’t it?", "It 's the dogs ' bowl , is n't it ?"),
    ("‘So’ he said “no”", "' So ' he said \" no \""),
    ("o'clock O'Brien's rock'n'roll ma'am don'ts", "o'clock O'Brien 's rock'n'roll ma'am don'ts"),
    ("the '70s, the 1980's and the ’90s", "the '70s , the 1980 's and the '90s"),
    ("1,000.5 3.14, 2,000. 10% $5 1990-2000", "1,000.5 3.14 , 2,000 . 10 % $ 5 1990-2000"),
    ("a well-known mother-in-law - no", "a well-known mother-in-law - no"),
    ("the U.S. and e.g. at 5 a.m. in the U.K", "the U.S. and e.g. at 5 a.m. in the U.K"),
    ("Mr. and Ph.D. J. Doe", "Mr . and Ph . D . J . Doe"),
    ("end.Next I.Then", "end . Next I . Then"),
    ("wait... no.... -- yes --- so—well…", "wait ... no ... . -- yes -- - so -- well ..."),
    ("(a) [b] {c} <d> a/b #x @y snake_case", "( a ) [ b ] { c } < d > a / b # x @ y snake _ case"),
    ("``quoted'' \"so\"", "`` quoted '' \" so \""),
    ("naïve Straße 東京 Москва cafe\u0301", "naïve Straße 東京 Москва cafe\u0301"),
    ("می‌خواهم", "می‌خواهم"),
    ("👍🏽 ok❤️!", "👍 🏽 ok ❤️ !"),
    ("a\u00a0b\u3000c\u2028d\u200be", "a b c d \u200b e"),
    ("", ""),
    (" \t\r\n", ""),
]


@pytest.fixture(scope="module")
def tokenizer():
    return Tokenizer.words(Vocabulary(()), lowercase=False)


@pytest.mark.parametrize(("text", "tokens"), TREEBANK)
def test_splits_like_the_treebank(tokenizer, text, tokens):
    assert tokenizer.split([text]) == [tokens.split()]


@pytest.mark.parametrize("tokens", [tokens for _, tokens in TREEBANK])
def test_leaves_tokenized_text_as_it_is(tokenizer, tokens):
    assert tokenizer.split([tokens]) == [tokens.split()]


def test_lowercases_before_splitting():
    lower = Tokenizer.words(Vocabulary(()))
    assert lower.split(["DON'T İstanbul ΑΣ"]) == [["do", "n't", "i̇stanbul", "ασ"]]

"""Every bad setting is named at once."""

import pytest

from cmow.corpus import PrepareSettings
from cmow.errors import ConfigError


def test_every_bad_field_is_listed_with_its_value() -> None:
    with pytest.raises(ConfigError) as error:
        PrepareSettings(
            tokenizer="",
            lowercase="yes",  # type: ignore[arg-type]
            vocabulary_size=1,
            minimum_count=2.5,  # type: ignore[arg-type]
            invalid="ignore",  # type: ignore[arg-type]
            split=0,  # type: ignore[arg-type]
            language=None,  # type: ignore[arg-type]
        )
    message = str(error.value)
    for part in (
        "tokenizer must be a word, not ''",
        "lowercase must be true or false, not 'yes'",
        "vocabulary_size must be a number of at least 2, not 1",
        "minimum_count must be a number of at least 1, not 2.5",
        "invalid must be one of fail, replace, skip, not 'ignore'",
        "split must be true or false, not 0",
        "language must be a word, not None",
    ):
        assert part in message
    assert "\n" not in message


def test_a_tokenizer_file_brings_its_own_words() -> None:
    with pytest.raises(ConfigError, match="word_list goes with tokenizer words or whitespace"):
        PrepareSettings(tokenizer="tokenizer.json", word_list="words.txt")


def test_the_vocabulary_is_learnt_unless_it_is_given() -> None:
    assert PrepareSettings().learns_vocabulary
    assert not PrepareSettings(word_list="words.txt").learns_vocabulary
    assert not PrepareSettings(tokenizer="tokenizer.json").learns_vocabulary

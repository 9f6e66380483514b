"""Strings to ids."""

from cmow._core import WordCounter
from cmow.text.ids import Ids
from cmow.text.tokenizer import Tokenizer
from cmow.text.vocabulary import Vocabulary
from cmow.text.wordpiece import plan_of

__all__ = ["Ids", "Tokenizer", "Vocabulary", "WordCounter", "plan_of"]

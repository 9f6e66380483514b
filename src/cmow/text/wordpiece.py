"""WordPiece on the compiled core, for the tokenizer files that it reads to the letter."""

import json
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

from cmow import _core
from cmow.text.ids import Ids
from cmow.text.vocabulary import SURROGATE, WHITE_SPACE, Counts, Vocabulary

LARGEST_WORD = 2**31  # characters


class Normalizer(NamedTuple):
    """What is done to a text before it is split."""

    clean: bool
    space_chinese: bool
    strip_accents: bool
    lowercase: bool


class AddedTokens(NamedTuple):
    """Tokens that are found in a text as it is, before anything else."""

    added: list[str]
    added_ids: list[int]


class Model(NamedTuple):
    """The pieces of words, each at the place of its id."""

    pieces: list[str]
    unknown: int
    prefix: str
    longest_word: int


class Plan(NamedTuple):
    """All that a tokenizer file has to say on ids."""

    normalizer: Normalizer
    split_punctuation: bool
    model: Model
    added: AddedTokens


class WordPieceSplitting:
    """Gives the ids that CustomSplitting gives for the same file."""

    kind: Literal["custom"] = "custom"
    lowercase = False  # the file decides for itself

    def __init__(self, description: dict[str, Any], plan: Plan, counts: Counts | None) -> None:
        self._description = {**description, "padding": None, "truncation": None}
        self._plan = plan
        pieces = plan.model.pieces
        beyond = [token for token, number in zip(*plan.added, strict=True) if number >= len(pieces)]
        self.vocabulary = Vocabulary.of_pieces([*pieces, *beyond], counts)
        self._pieces = _core.WordPiece(
            **plan.model._asdict(),
            **plan.added._asdict(),
            **plan.normalizer._asdict(),
            split_punctuation=plan.split_punctuation,
        )

    def __reduce__(self) -> tuple[Any, ...]:  # the compiled table is built anew
        return WordPieceSplitting, (self._description, self._plan, self.vocabulary.counts)

    def split(self, texts: Sequence[str]) -> list[list[str]]:
        """The pieces of each text."""
        piece_of = self.vocabulary.words
        return [[piece_of[number] for number in row] for row in self._pieces.all_ids(texts)]

    def ids(self, texts: Sequence[str], threads: int) -> Ids:
        """The ids of the pieces of each text."""
        return Ids(*self._pieces.ids(texts, threads))

    def ids_of_lines(self, block: bytes) -> Ids:
        """The ids of each line of a block of UTF-8."""
        return Ids(*self._pieces.ids_of_lines(str(block, "utf-8", "replace").encode()))

    def to_json(self) -> str:
        """The content of a tokenizer.json."""
        return json.dumps(self._description, ensure_ascii=False, sort_keys=True)


def plan_of(description: dict[str, Any]) -> Plan | None:
    """What a tokenizer.json asks for; None if any of it is beyond the native path."""
    match description:
        case {
            "version": "1.0",
            "truncation": _,
            "padding": _,
            "added_tokens": [*tokens],
            "normalizer": normalizer,
            "pre_tokenizer": {"type": "BertPreTokenizer" | "WhitespaceSplit" as splitter},
            "post_processor": post_processor,
            "decoder": None | {"type": "WordPiece", "prefix": str(), "cleanup": bool()},
            "model": model,
            **others,
        } if not others and _leaves_ids(post_processor):
            normalizes, pieces = _normalizer(normalizer), _model(model)
        case _:
            return None
    added = None if pieces is None else _added_tokens(tokens, pieces)
    if normalizes is None or pieces is None or added is None:
        return None
    if not _are_characters([*pieces.pieces, pieces.prefix, *added.added]):
        return None
    return Plan(normalizes, splitter == "BertPreTokenizer", pieces, added)


def _normalizer(description: Any) -> Normalizer | None:
    match description:
        case None:
            return Normalizer(False, False, False, False)
        case {"type": "Lowercase"}:
            return Normalizer(False, False, False, True)
        case {
            "type": "BertNormalizer",
            "clean_text": bool(clean),
            "handle_chinese_chars": bool(chinese),
            "strip_accents": None | bool() as accents,
            "lowercase": bool(lowercase),
        }:
            return Normalizer(clean, chinese, lowercase if accents is None else accents, lowercase)
    return None


def _leaves_ids(post_processor: Any) -> bool:
    """Whether nothing but special tokens, for which we do not ask, would be added."""
    match post_processor:
        case None:
            return True
        case {
            "type": "BertProcessing" | "RobertaProcessing",
            "sep": [str(), int()],
            "cls": [str(), int()],
        }:
            return True
        case {
            "type": "TemplateProcessing",
            "single": [*single],
            "pair": [*_],
            "special_tokens": dict(special),
        }:
            return _is_plain(single, special)
    return False


def _is_plain(template: list[Any], special: dict[str, Any]) -> bool:
    """Whether a template has the text once, and else special tokens only."""
    texts = 0
    for piece in template:
        match piece:
            case {"Sequence": {"id": "A"}}:
                texts += 1
            case {"SpecialToken": {"id": str(name)}} if name in special:
                pass
            case _:
                return False
    return texts == 1


def _model(description: Any) -> Model | None:
    match description:
        case {
            "type": "WordPiece",
            "unk_token": str(unknown),
            "continuing_subword_prefix": str(prefix),
            "max_input_chars_per_word": int(longest),
            "vocab": dict(vocabulary),
        } if unknown in vocabulary and 0 <= longest <= LARGEST_WORD:
            pieces = _in_order(vocabulary)
            if pieces is not None:
                return Model(pieces, vocabulary[unknown], prefix, longest)
    return None


def _in_order(vocabulary: dict[str, Any]) -> list[str] | None:
    """The pieces in the order of their ids, if these leave no gap."""
    if set(map(type, vocabulary.values())) != {int}:
        return None
    pieces = sorted(vocabulary, key=vocabulary.__getitem__)
    gapless = [vocabulary[piece] for piece in pieces] == list(range(len(pieces)))
    return pieces if gapless else None


def _added_tokens(tokens: list[Any], model: Model) -> AddedTokens | None:
    """The added tokens with the ids that the library gives them, if those are the file's."""
    known = {piece: number for number, piece in enumerate(model.pieces)}
    added: dict[str, int] = {}
    for token in tokens:
        match token:
            case {
                "id": int(number),
                "content": str(content),
                "single_word": False,
                "lstrip": bool(),
                "rstrip": bool(),
                "normalized": False,
                "special": bool(),
            } if content and content not in added and not WHITE_SPACE.search(content):
                if number != known.setdefault(content, len(known)):
                    return None
                added[content] = number
            case _:
                return None
    return AddedTokens(list(added), list(added.values()))


def _are_characters(texts: list[str]) -> bool:
    return SURROGATE.search("".join(texts)) is None

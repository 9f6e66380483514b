"""Tokenizer files of the library's own making: sub-words, unknown and special tokens."""

import json
from types import SimpleNamespace

import pytest
import tokenizers
from tokenizers import models, normalizers, pre_tokenizers, processors, trainers

from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer

SENTENCES = ["the cat sat on the mat", "the dogs barked at the cats", "a mat is flat"] * 5
SPECIAL = ["[UNK]", "[CLS]", "[SEP]", "[PAD]"]


def trained(model, trainer, **parts):
    library = tokenizers.Tokenizer(model)
    library.pre_tokenizer = pre_tokenizers.Whitespace()
    for name, part in parts.items():
        setattr(library, name, part)
    library.train_from_iterator(SENTENCES, trainer)
    return library


def word_piece():
    trainer = trainers.WordPieceTrainer(vocab_size=60, special_tokens=SPECIAL, show_progress=False)
    library = trained(models.WordPiece(unk_token="[UNK]"), trainer)
    library.normalizer = normalizers.BertNormalizer(lowercase=True)
    library.post_processor = processors.BertProcessing(("[SEP]", 2), ("[CLS]", 1))
    library.enable_padding(pad_id=3, pad_token="[PAD]")
    library.enable_truncation(4)
    return library


def byte_pairs():
    trainer = trainers.BpeTrainer(
        vocab_size=300,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    return trained(models.BPE(dropout=0.9), trainer, pre_tokenizer=pre_tokenizers.ByteLevel())


def unigram():
    trainer = trainers.UnigramTrainer(
        vocab_size=40, special_tokens=["<unk>"], unk_token="<unk>", show_progress=False
    )
    return trained(models.Unigram(), trainer, pre_tokenizer=pre_tokenizers.Metaspace())


def read(library, folder):
    library.save(str(folder / "tokenizer.json"))
    return Tokenizer.from_file(folder / "tokenizer.json")


@pytest.mark.parametrize("make", [word_piece, byte_pairs, unigram])
def test_each_piece_has_its_own_id(make, tmp_path):
    tokenizer = read(make(), tmp_path)
    assert tokenizer.kind == "custom"
    ids = tokenizer.ids(["the cats", "", "flat dogs barked"])
    pieces = [tokenizer.vocabulary.words[number] for number in ids.flat]
    assert pieces == [
        piece for row in tokenizer.split(["the cats", "flat dogs barked"]) for piece in row
    ]
    assert [piece.strip("#Ġ▁") for piece in pieces[:2]] != ["", ""]
    assert ids.discarded == 0
    assert ids.offsets[0] == 0
    assert 0 < ids.offsets[1] == ids.offsets[2] < ids.offsets[3] == len(ids.flat)


@pytest.mark.parametrize("make", [word_piece, byte_pairs, unigram])
def test_ids_depend_on_nothing_but_the_text(make, tmp_path):
    """Neither padding, truncation and dropout of the file nor batch mates change them."""
    tokenizer = read(make(), tmp_path)
    text = "the dogs barked at the flat cats"
    alone = tokenizer.ids([text]).flat.tolist()
    for _ in range(5):
        ids = tokenizer.ids(["a", text, "the cat " * 20])
        assert ids.flat[ids.offsets[1] : ids.offsets[2]].tolist() == alone
    tokenizer.save(tmp_path / "saved.json")
    assert Tokenizer.from_file(tmp_path / "saved.json").ids([text]).flat.tolist() == alone


def test_unknown_pieces_are_discarded(tmp_path):
    tokenizer = read(word_piece(), tmp_path)
    ids = tokenizer.ids(["the 漢 cat", "漢 漢"])
    assert ids.discarded == 3
    assert ids.offsets.tolist() == [0, len(ids.flat), len(ids.flat)]
    assert tokenizer.vocabulary.index("[UNK]") not in ids.flat
    unigrams = read(unigram(), tmp_path)
    assert unigrams.ids(["漢"]).discarded == 1
    assert read(byte_pairs(), tmp_path).ids(["漢"]).discarded == 0


def test_lines_of_a_block_are_texts(tmp_path):
    tokenizer = read(byte_pairs(), tmp_path)
    of_lines, of_texts = (
        tokenizer.ids_of_lines(b"the cat\r\n\na mat"),
        tokenizer.ids(["the cat", "", "a mat"]),
    )
    assert of_lines.flat.tolist() == of_texts.flat.tolist()
    assert of_lines.offsets.tolist() == of_texts.offsets.tolist()
    assert tokenizer.ids_of_lines(b"").offsets.tolist() == [0]


def test_gaps_between_ids_are_filled(tmp_path):
    library = tokenizers.Tokenizer(models.WordLevel({"a": 0, "b": 3}, unk_token="a"))
    tokenizer = read(library, tmp_path)
    assert len(tokenizer.vocabulary) == 4
    assert tokenizer.ids(["b"]).flat.tolist() == [3]


def test_a_monstrous_id_is_refused(tmp_path):
    path = tmp_path / "tokenizer.json"
    tokenizers.Tokenizer(models.WordLevel({"a": 7}, unk_token="a")).save(str(path))
    path.write_text(path.read_text().replace("7", "4000000000"))
    with pytest.raises(FormatError, match="'a' has the id 4000000000"):
        Tokenizer.from_file(path)


def test_a_foreign_word_level_file_is_custom(tmp_path):
    library = tokenizers.Tokenizer(models.WordLevel({"[UNK]": 0, "a": 1}, unk_token="[UNK]"))
    library.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    tokenizer = read(library, tmp_path)
    assert tokenizer.kind == "custom"
    assert tokenizer.ids(["a b a"])[::2] == (pytest.approx([1, 1]), 1)


def test_a_file_without_its_unknown_token_is_at_fault(tmp_path):
    tokenizer = read(tokenizers.Tokenizer(models.WordLevel({"a": 0}, unk_token="?")), tmp_path)
    with pytest.raises(FormatError, match=r"a fault: .*Missing \[UNK\] token"):
        tokenizer.ids(["b"])


@pytest.mark.parametrize("bad", [["a", 1], "text", ["\ud800"]])
def test_what_is_no_text_is_named(bad, tmp_path):
    with pytest.raises((TypeError, ValueError), match=r"^texts"):
        read(unigram(), tmp_path).ids(bad)


def test_its_vocabulary_cannot_be_replaced(tmp_path):
    tokenizer = read(unigram(), tmp_path)
    with pytest.raises(ConfigError, match="brings its own vocabulary"):
        tokenizer.replace_vocabulary(tokenizer.vocabulary)


def test_a_damaged_model_is_named(tmp_path):
    path = tmp_path / "tokenizer.json"
    word_piece().save(str(path))
    description = json.loads(path.read_text())
    del description["model"]["vocab"]
    path.write_text(json.dumps(description))
    with pytest.raises(FormatError, match=r"tokenizer\.json: no tokenizer to be had"):
        Tokenizer.from_file(path)


def test_a_panic_of_the_library_is_an_error_like_any_other(tmp_path):
    path = tmp_path / "tokenizer.json"
    tokenizers.Tokenizer(models.BPE({"a": 0, "b": 1, "ab": 2}, [("a", "b")])).save(str(path))
    description = json.loads(path.read_text())
    description["model"]["continuing_subword_prefix"] = "##"  # which is longer than the pieces
    path.write_text(json.dumps(description))
    with pytest.raises(FormatError, match=r"tokenizer\.json: no tokenizer to be had"):
        Tokenizer.from_file(path)


def test_ctrl_c_is_no_fault_of_the_file(tmp_path, monkeypatch):
    tokenizer = read(unigram(), tmp_path)

    def interrupt(*_, **__):
        raise KeyboardInterrupt

    library = SimpleNamespace(encode_batch_fast=interrupt)
    monkeypatch.setattr(tokenizer._splitting, "_tokenizer", library)
    with pytest.raises(KeyboardInterrupt):
        tokenizer.ids(["a"])

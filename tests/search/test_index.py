"""An index finds what comparing with every text finds, and survives what happens to it."""

import gzip
import json
import shutil
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from travel_words import WORDS

import cmow
from cmow.encoder import Encoder, Placement, Projection
from cmow.errors import ConfigError, FormatError
from cmow.search import Index

DRAWN = np.random.default_rng(0)
TEXTS = [" ".join(DRAWN.choice([*WORDS, "unheard"], DRAWN.integers(1, 9))) for _ in range(300)]
QUERIES = ["the dog saw a man", "from berlin to rome", "man", "cat not unheard dog the the"]


def known(text):
    return any(word in WORDS for word in text.split())


def projected(tokenizer):
    encoder = Encoder.initialize(tokenizer, "mean(sum(6))+mean(product(3))", seed=3, sigma=0.3)
    random = np.random.default_rng(1).normal(size=(9, 8)).astype(np.float32)
    vectors, matrices = (part.name for part in encoder.parts)
    places = Placement(vectors, 0, 6, factor=0.5), Placement(matrices, 0, 8, random)
    bias = np.linspace(-0.3, 0.3, 8, dtype=np.float32)
    return Encoder(tokenizer, encoder.parts, projection=Projection(places, bias))


@pytest.fixture(params=["hybrid", "projected", "sum(9)", "product(4)"])
def encoder(request, tokenizer, hybrid):
    if request.param == "hybrid":
        return hybrid
    if request.param == "projected":
        return projected(tokenizer)
    return Encoder.initialize(tokenizer, request.param, seed=1, sigma=0.3)


def best(encoder, query, texts, order, k):
    """The scores of the best texts, by comparing with all."""
    some = [text for text in texts if known(text)]
    return -np.sort(-encoder.similarity_pairwise([query] * len(some), some, order=order))[:k]


@pytest.mark.parametrize(
    ("storage", "rounding"), [("float32", 2e-5), ("float16", 2e-3), ("int8", 3e-2)]
)
def test_what_is_most_alike_is_found(encoder, storage, rounding, tmp_path):
    index = Index.build(encoder, TEXTS, tmp_path / "index", storage=storage)
    orders = [None] if len(index._blocks.widths) == 1 else [None, 0, 0.3, 1]
    for order, opened in product(orders, (index, Index.open(tmp_path / "index", encoder))):
        found = opened.search(QUERIES, 12, order=order)
        for query, hits in zip(QUERIES, found, strict=True):
            scores = [hit.score for hit in hits]
            expected = best(encoder, query, TEXTS, order, 12)
            np.testing.assert_allclose(scores, expected, atol=rounding)
            assert [hit.text for hit in hits] == [TEXTS[hit.row] for hit in hits]
            alike = encoder.similarity_pairwise(
                [query] * 12, [hit.text for hit in hits], order=order
            )
            np.testing.assert_allclose(scores, alike, atol=rounding)
    assert index.search("man", 3) == index.search(["man"], 3)[0]


def test_order_decides_whether_the_direction_counts(hybrid, tmp_path):
    there, back = "from berlin to rome", "from rome to berlin"
    index = Index.build(hybrid, [back, there, "the cat"], tmp_path / "index")
    assert {hit.text for hit in index.search(there, 2, order=0)} == {there, back}
    scores = [hit.score for hit in index.search(there, 2, order=0)]
    assert scores == pytest.approx([1, 1], abs=1e-3)
    first, *_ = index.search(there, 3, order=1)
    assert first.text == there
    assert index.search(back, 1, order=1)[0].text == back


def test_threads_and_other_queries_change_nothing(hybrid, tmp_path):
    index = Index.build(hybrid, TEXTS * 30, tmp_path / "index", threads=1)
    together = index.search(QUERIES, 20, order=0.5, threads=1)
    assert index.search(QUERIES, 20, order=0.5, threads=4) == together
    assert [index.search(query, 20, order=0.5) for query in QUERIES] == together


def test_rows_are_added_and_removed(hybrid, tmp_path):
    index = Index.build(hybrid, TEXTS[:100], tmp_path / "index", storage="float32")
    assert index.add(TEXTS[100:101]) == range(100, 101)
    assert index.add(TEXTS[101:]) == range(101, 300)
    whole = Index.build(hybrid, TEXTS, tmp_path / "whole", storage="float32")
    for order in (None, 0.4):
        assert index.search(QUERIES, 30, order=order) == whole.search(QUERIES, 30, order=order)
    removed = [hit.row for hit in index.search(QUERIES[0], 5)]
    rest = [hit for hit in index.search(QUERIES[0], 40) if hit.row not in removed]
    index.remove(removed)
    assert len(index) == 295
    opened = Index.open(tmp_path / "index", hybrid)
    for each in (index, opened):
        assert each.search(QUERIES[0], 35) == rest
    assert opened.add(["man"]) == range(300, 301)
    assert opened.search("man", 100)[0].score == pytest.approx(1)
    assert 300 in {hit.row for hit in opened.search("man", 100)}
    with pytest.raises(ConfigError, match="changed by another process"):
        index.remove([7])
    with pytest.raises(ConfigError, match="there is no row 301: the index has 301"):
        opened.remove([3, 301])
    assert not {hit.row for hit in opened.search(QUERIES[0], 300)} & set(removed)


def test_files_lines_and_columns_are_remembered(hybrid, tmp_path):
    (tmp_path / "a.txt").write_text("the dog\r\n\nunheard\nthe cat")
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress("a män saw\n\x85the man\n".encode()))
    files = [tmp_path / "a.txt", tmp_path / "b.txt.gz"]
    index = Index.build(hybrid, files, tmp_path / "index")
    hits = {hit.text: hit.metadata for hit in index.search("the man", 10)}
    assert hits == {
        "the dog": {"file": str(files[0]), "line": 1},
        "the cat": {"file": str(files[0]), "line": 4},
        "a män saw": {"file": str(files[1]), "line": 1},
        "\x85the man": {"file": str(files[1]), "line": 2},
    }
    index.add(["rome", "berlin"], columns={"year": [1999, None], "tags": [["\udcff"], []]})
    (hit,) = index.search("rome", 1)
    assert (hit.text, hit.metadata) == ("rome", {"year": 1999, "tags": ["\udcff"]})
    for values in ([1], [1, 2, 3]):
        with pytest.raises(ConfigError, match=f"column 'year' has {len(values)} values"):
            index.add(["rome", "berlin"], columns={"year": values})
    assert len(index) == 8


def test_a_table_given_for_text_is_noticed(hybrid, tmp_path, caplog):
    (tmp_path / "a.csv").write_text("title,year\nthe dog,1999\nthe cat,2005\n")
    Index.build(hybrid, tmp_path / "a.csv", tmp_path / "index", column="title")
    assert not caplog.records
    Index.build(hybrid, tmp_path / "a.csv", tmp_path / "lines")
    (record,) = caplog.records
    assert "a.csv: the lines look like CSV: name the column" in record.getMessage()
    (tmp_path / "a.parquet").write_bytes(b"PAR1\0\0\n\0PAR1")
    with pytest.raises(FormatError, match=r"a\.parquet: a file of Parquet; name the column"):
        Index.build(hybrid, tmp_path / "a.parquet", tmp_path / "packed")


def test_lines_that_are_not_utf_8(hybrid, tmp_path):
    (tmp_path / "a.txt").write_bytes(b"man\n\xffdog\ncat\n")
    with pytest.raises(FormatError, match=r"a.txt:2: not UTF-8"):
        Index.build(hybrid, tmp_path / "a.txt", tmp_path / "index")
    assert not (tmp_path / "index").exists()
    index = Index.build(hybrid, tmp_path / "a.txt", tmp_path / "index", invalid="skip")
    assert {hit.text: hit.metadata["line"] for hit in index.search("cat")} == {"man": 1, "cat": 3}


def test_a_query_without_known_words_finds_nothing_and_says_so(hybrid, tmp_path, caplog):
    index = Index.build(hybrid, TEXTS, tmp_path / "index")
    hits = index.search(["unheard of", "man", ""], 2)
    assert [len(each) for each in hits] == [0, 2, 0]
    assert "no word of the query 'unheard of' is known to the model" in caplog.text
    assert index.search([], 3) == []


def test_an_empty_index(hybrid, tmp_path):
    index = Index.build(hybrid, [], tmp_path / "index")
    assert index.search("man", 3) == []
    index.add(["man"])
    assert [hit.text for hit in Index.open(tmp_path / "index", hybrid).search("man")] == ["man"]
    assert Index.build(hybrid, ["unheard"], tmp_path / "index").search("man") == []


def test_the_model_is_remembered_and_another_refused(hybrid, tokenizer, tmp_path):
    hybrid.save(tmp_path / "model")
    Index.build(tmp_path / "model", TEXTS, tmp_path / "index")
    opened = cmow.Index.open(tmp_path / "index")
    assert opened.search(QUERIES[0]) == Index.open(tmp_path / "index", hybrid).search(QUERIES[0])
    other = Encoder.initialize(tokenizer, "product(5)+sum(7)+mean(windows(3))", seed=4, sigma=0.3)
    for encoder in (other, hybrid.part("cbow")):
        with pytest.raises(ConfigError, match="built with another model") as refused:
            Index.open(tmp_path / "index", encoder)
        assert "\n" not in str(refused.value)
    other.save(tmp_path / "model")
    with pytest.raises(ConfigError, match="built with another model"):
        Index.open(tmp_path / "index")
    Index.build(hybrid, TEXTS, tmp_path / "index")
    with pytest.raises(ConfigError, match="does not say where its model is"):
        Index.open(tmp_path / "index")


@pytest.fixture(scope="module")
def whole(hybrid, tmp_path_factory):
    folder = tmp_path_factory.mktemp("whole") / "index"
    Index.build(hybrid, TEXTS, folder, storage="int8")
    return folder


FILES = ["bag.rows", "order.scales", "bag.weights", "known.uint8", "metadata.jsonl"]


@pytest.mark.parametrize("name", [*FILES, "metadata.offsets"])
@pytest.mark.parametrize("damage", ["cut", "longer", "missing"])
def test_a_truncated_index_is_refused(hybrid, whole, tmp_path, name, damage):
    shutil.copytree(whole, tmp_path / "index")
    path = tmp_path / "index/segment-0" / name
    data = path.read_bytes()
    path.unlink()
    if damage != "missing":
        path.write_bytes(data[:-1] if damage == "cut" else data + b"\0")
    with pytest.raises(FormatError, match=f"{name}.*rebuild the index"):
        Index.open(tmp_path / "index", hybrid)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 1}, "another version of cmow"),
        ({"version": 3}, "another version of cmow"),
        ({"segments": [-3]}, "damaged"),
        ({"segments": [299]}, "bytes instead of"),
        ({"segments": None}, "damaged"),
        ({"widths": {}}, "damaged"),
        ({"widths": {"bag": 7, "order": 34, "more": 1}}, "damaged"),
        ({"removed": [300]}, "damaged"),
        ({"storage": "int4"}, "damaged"),
        ({"graph_rows": 300}, "damaged"),
        ({"surprise": 1}, "damaged"),
    ],
)
def test_a_damaged_page_is_refused(hybrid, whole, tmp_path, change, message):
    shutil.copytree(whole, tmp_path / "index")
    page = tmp_path / "index/index.json"
    page.write_text(json.dumps({**json.loads(page.read_text()), **change}))
    with pytest.raises(FormatError, match=message):
        Index.open(tmp_path / "index", hybrid)


def test_damaged_metadata_is_refused_when_it_is_met(hybrid, whole, tmp_path):
    shutil.copytree(whole, tmp_path / "index")
    path = tmp_path / "index/segment-0/metadata.jsonl"
    path.write_bytes(b"x" * path.stat().st_size)
    with pytest.raises(FormatError, match=r"metadata\.jsonl: damaged"):
        Index.open(tmp_path / "index", hybrid).search("man")


@pytest.mark.parametrize("place", ["file", "folder", "missing/file"])
def test_what_is_no_index_is_neither_opened_nor_replaced(hybrid, tmp_path, place):
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("mine")
    with pytest.raises((FormatError, OSError)):
        Index.open(tmp_path / place, hybrid)
    if "missing" not in place:
        with pytest.raises(ConfigError, match="choose another"):
            Index.build(hybrid, TEXTS, tmp_path / place)
    assert (tmp_path / "file").read_text() == (tmp_path / "folder/file").read_text() == "mine"


def test_an_index_stays_what_it_was_when_building_fails(hybrid, tmp_path):
    index = Index.build(hybrid, TEXTS, tmp_path / "index")
    found = index.search("man")

    def broken():
        yield from TEXTS
        raise KeyboardInterrupt

    for change in (index.add, lambda texts: Index.build(hybrid, texts, tmp_path / "index")):
        with pytest.raises(KeyboardInterrupt):
            change(broken())
        assert Index.open(tmp_path / "index", hybrid).search("man") == found
    assert [file.name for file in tmp_path.iterdir()] == ["index"]


def test_what_cannot_be_is_refused_in_a_line(hybrid, tokenizer, tmp_path):
    index = Index.build(hybrid, TEXTS, tmp_path / "index")
    for call, message in [
        (lambda: index.search("man", 0), "k must be at least 1"),
        (lambda: index.search("man", order=1.5), "order must be 0 to 1"),
        (lambda: index.search("man", spans=0), "max_width"),
        (lambda: Index.build(hybrid, TEXTS, tmp_path / "x", storage="int4"), "storage must be"),
        (lambda: Index.build(hybrid, [str(tmp_path)], tmp_path / "x"), "pass paths"),
        (lambda: index.add(["man"], columns={"line": [3]}), "cannot be called 'line'"),
        (lambda: index.add(["man"], columns={"tags": [{3}]}), "what JSON can hold"),
    ]:
        with pytest.raises(ConfigError, match=message):
            call()
    bag = Encoder.initialize(tokenizer, "sum(3)")
    with pytest.raises(ConfigError, match="treat word order alike"):
        Index.build(bag, TEXTS, tmp_path / "bag").search("man", order=0)
    with pytest.raises(TypeError, match="must be a str"):
        index.add([3])


def test_passages_are_found_in_long_texts(hybrid, tmp_path):
    texts = [" ".join([*TEXTS[10 * i : 10 * i + 10]]) for i in range(20)]
    texts[7] += " from berlin to rome " + TEXTS[0]
    index = Index.build(hybrid, texts, tmp_path / "index")
    for order in (None, 1):
        hit = index.search("from berlin to rome", 2, order=order, spans=6)[0]
        assert (hit.row, hit.span.text) == (7, "from berlin to rome")
        assert texts[7][slice(*hit.span.place)] == hit.span.text
        assert hit.score == pytest.approx(1, abs=1e-5)


def test_the_graph_finds_nearly_all(hybrid, tmp_path):
    pytest.importorskip("usearch")
    words = np.random.default_rng(1).choice(WORDS, (3000, 7))
    texts = [" ".join(some) for some in words]
    index = Index.build(hybrid, texts, tmp_path / "index", approximate=True)
    for order in (None, 0.5, 1):
        exact = index.search(QUERIES, 10, order=order, exact=True)
        found = Index.open(tmp_path / "index", hybrid).search(QUERIES, 10, order=order)
        shared = [
            len({hit.row for hit in a} & {hit.row for hit in b})
            for a, b in zip(exact, found, strict=True)
        ]
        assert sum(shared) >= 0.8 * 40
        for a, b in zip(exact, found, strict=True):
            scores = {hit.row: hit.score for hit in a}
            both = [hit for hit in b if hit.row in scores]
            assert [hit.score for hit in both] == pytest.approx([scores[hit.row] for hit in both])
    index.remove([hit.row for hit in index.search("man", 3)])
    assert not {hit.row for hit in index.search("man", 10)} & set(index._manifest.removed)
    index.add(["man"])
    assert 3000 in {hit.row for hit in index.search("man", 5)}
    path: Path = tmp_path / "index/graph.usearch"
    path.unlink()
    path.write_bytes(b"nothing")
    with pytest.raises(FormatError, match=r"graph\.usearch: damaged"):
        Index.open(tmp_path / "index", hybrid).search("man")


def test_a_copy_has_what_was_not_removed(hybrid, tmp_path):
    index = Index.build(hybrid, TEXTS[:50], tmp_path / "index", columns={"n": list(range(50))})
    index.add(TEXTS[50:80], columns={"n": list(range(50, 80))})
    removed = {0, 7, 49, 50, 79}
    index.remove(removed)
    index.save(tmp_path / "copy")
    copy = Index.open(tmp_path / "copy", hybrid)
    assert len(copy) == 75
    kept = [n for n in range(80) if n not in removed]
    for query in TEXTS[:90:9]:
        before, after = index.search(query, 75), copy.search(query, 75)
        assert [(hit.score, hit.text, hit.metadata) for hit in before] == [
            (hit.score, hit.text, hit.metadata) for hit in after
        ]
        assert [hit.metadata["n"] for hit in after] == [kept[hit.row] for hit in after]
    with pytest.raises(ConfigError, match="save it elsewhere"):
        copy.save(tmp_path / "copy")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine/file").touch()
    with pytest.raises(ConfigError, match="neither empty nor an index"):
        copy.save(tmp_path / "mine")


def test_a_passage_is_found_in_a_text_that_is_unlike_the_query_as_a_whole(hybrid, tmp_path):
    rest = " ".join(["dog", "bit"] * 40)
    texts = ["from berlin", "to rome"] * 30 + [f"{rest} from berlin to rome {rest}"]
    index = Index.build(hybrid, texts, tmp_path / "index")
    (hit,) = index.search("from berlin to rome", 1, order=1, spans=4)
    assert (hit.row, hit.span.begin, hit.span.end) == (60, 80, 84)
    assert hit.span.text == "from berlin to rome"

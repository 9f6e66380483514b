from cmow.paper.grammar.draws import Draws
from cmow.paper.probing.analysis import Analysis
from cmow.paper.probing.inflected import tense
from cmow.paper.probing.odd import odd_man_out
from cmow.paper.probing.order import bigram_shift, coordination_inversion
from cmow.paper.probing.pool import Pool, Source, eligible
from cmow.paper.probing.settings import ProbingSettings
from cmow.paper.probing.structure import top_constituents
from cmow.paper.probing.surface import sentence_length, word_content

SETTINGS = ProbingSettings(
    train=20, valid=5, test=5, content_words=2, top_sequences=3, target_frequencies=(0, 20_000)
)


def source(texts=(), analyses=()) -> Source:
    return Source(Pool(list(texts), list(analyses)), SETTINGS, Draws(0))


def words(count: int) -> str:
    return " ".join(f"w{number}" for number in range(count))


def test_sentences_of_5_to_28_words_once():
    texts = [words(4), words(5), words(28), words(29), words(5), "a\tb  c d\u00a0e\n"]
    assert list(eligible(texts)) == [words(5), words(28), "a b c d e"]


def test_length_bins():
    lengths = (5, 8, 9, 12, 13, 16, 17, 20, 21, 25, 26, 28)
    labels = [c.label for c in sentence_length(source(words(length) for length in lengths))]
    assert labels == ["0", "0", "1", "1", "2", "2", "3", "3", "4", "4", "5", "5"]


def test_nothing_to_exchange_beside_marks_quotations_or_the_first_word():
    texts = ["He , she , it .", 'I say " no way " .', "Go !", "Very very good .", "No no no no ."]
    (only,) = bigram_shift(source(texts))
    assert only.text == "Very good very ."


def test_content_words_occur_alone_and_once():
    common = ["the of and to"] * 40
    rare = ["one boat here", "two boat boat", "some goat here", "a goat boat", "my goat there"]
    found = word_content(source([*common, *rare, "my boat there"]))
    assert {(c.label, c.text) for c in found} == {
        ("boat", "one boat here"),
        ("boat", "my boat there"),
        ("goat", "some goat here"),
        ("goat", "my goat there"),
    }


def test_exchanged_clauses_keep_names_and_change_capitals():
    def clauses(text: str, tags: str) -> Analysis:
        first, link, second = text.split(" | ")
        end = len(first.split())
        start = end + len(link.split())
        return Analysis(f"{first} {link} {second}", tags, 1, "", clauses=(end, start))

    pairs = {
        "The dog ran off | , and | it barked .": "It barked , and the dog ran off .",
        "Anna ran off | but | we stayed .": "We stayed but Anna ran off .",
        "I slept | and | the big dog barked .": "The big dog barked and I slept .",
        "he slept | and | the small dog barked .": "the small dog barked and he slept .",
    }
    tags = ("DT", "NNP", "PRP", "PRP")
    analyses = [clauses(text, tag) for text, tag in zip(pairs, tags, strict=True)]
    found = coordination_inversion(source(analyses=analyses))
    assert [c.label for c in found] == ["O", "I", "O", "I"]
    originals = {text.replace("| ", "") for text in pairs}
    assert {c.text for c in found if c.label == "O"} < originals
    assert {c.text for c in found if c.label == "I"} < set(pairs.values())


def test_top_sequences_with_inner_marks_are_left_out():
    tops = ["NP_VP_."] * 5 + ["VP_."] * 3 + ["PP_,_NP_VP_."] * 4 + ["ADVP_VP_.", "NP_VP", "S_:_S_."]
    analyses = [Analysis(str(number), "", 1, top) for number, top in enumerate(tops)]
    labels = [candidate.label for candidate in top_constituents(source(analyses=analyses))]
    assert labels == ["NP_VP_."] * 5 + ["VP_."] * 3 + ["OTHER"]


def test_too_frequent_targets_are_left_out():
    texts = [f"it {verb} n{number}" for verb in ("was", "sat") for number in range(150)]
    analyses = [Analysis(text, "PRP VBD NN", 1, "", verb=1) for text in texts[100:200]]
    few = Source(Pool(texts[100:200], analyses), SETTINGS, Draws(0))
    assert {candidate.target for candidate in tense(few)} == {"was", "sat"}
    many = Source(Pool(texts, analyses), SETTINGS, Draws(0))
    assert tense(many) == []


def test_odd_words_have_the_tag_and_the_neighbours_of_the_word_they_replace():
    nouns = ("boat", "goat")
    texts = [f"the {noun} is {noun[0]}{number}" for noun in nouns for number in range(9)]
    texts += ["the boat was b10", "the ghost was b11", "the boats are b12"]
    tags = ["DT NN VBZ JJ"] * 18 + ["DT NN VBD JJ"] * 2 + ["DT NNS VBP JJ"]
    analyses = [Analysis(t, tag, 1, "") for t, tag in zip(texts, tags, strict=True)]
    settings = ProbingSettings(train=20, valid=5, test=5, odd_frequencies=(0, 1_000_000))
    found = odd_man_out(Source(Pool(texts, analyses), settings, Draws(3)))
    assert {candidate.label for candidate in found} == {"O", "C"}
    for candidate in found:
        assert candidate.target in nouns
        assert candidate.target in candidate.text.split()
        assert (candidate.label == "O") == (candidate.text in texts)


def test_a_change_into_another_sentence_of_the_corpus_is_none():
    texts = [f"the {noun} is {end}" for noun in ("boat", "goat") for end in ("red", "old", "new")]
    analyses = [Analysis(text, "DT NN VBZ JJ", 1, "") for text in texts]
    settings = ProbingSettings(train=20, valid=5, test=5, odd_frequencies=(0, 1_000_000))
    assert odd_man_out(Source(Pool(texts, analyses), settings, Draws(0))) == []
    assert bigram_shift(source(["so we can .", "so can we ."])) == []

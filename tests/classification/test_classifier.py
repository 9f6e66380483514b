"""The classifier: what it learns, keeps and refuses, and that scikit-learn takes it for its own."""

import numpy as np
import pytest
import tokenizers
from labelled import ANIMALS, QUICK, SHAPE, chases

import cmow
from cmow import Classifier, Encoder
from cmow.classification import Examples, Report, plot_confusion
from cmow.classification.fitting import LONG, Head, part_rates
from cmow.classification.labels import Labels, in_folds
from cmow.encoder import Part, Placement, Projection, Shape
from cmow.errors import ConfigError, FormatError
from cmow.text import Tokenizer
from cmow.training import read_output


@pytest.fixture(scope="module")
def fitted():
    return Classifier(**QUICK).fit(*chases(600))


def test_order_is_learnt_where_a_bag_of_words_is_at_a_loss(fitted):
    unseen = chases(300, seed=1)
    assert fitted.score(*unseen) == 1
    bag = Classifier(**{**QUICK, "shape": "mean(sum(12))"}).fit(*chases(600))
    assert bag.score(*unseen) < 0.8
    assert fitted.classes_.tolist() == ["hunted", "hunter", "none"]
    shares = fitted.predict_proba(unseen[0])
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    said = fitted.classes_[shares.argmax(axis=1)]
    np.testing.assert_array_equal(fitted.predict(unseen[0]), said)


def test_texts_without_known_words_get_an_answer_too(fitted):
    assert np.isfinite(fitted.predict_proba(["", "xyzzy"])).all()
    assert fitted.predict([]).tolist() == []


def test_a_saved_classifier_says_the_same(fitted, tmp_path):
    texts, labels = chases(50, seed=2)
    fitted.save(tmp_path / "model")
    names = {file.name for file in (tmp_path / "model").iterdir()}
    assert names >= {"labels.json", "model.safetensors", "output.safetensors", "tokenizer.json"}
    opened = Classifier.load(tmp_path / "model")
    np.testing.assert_array_equal(opened.predict_proba(texts), fitted.predict_proba(texts))
    encoder = cmow.load(tmp_path / "model")
    np.testing.assert_array_equal(encoder.encode(texts), fitted.encoder_.encode(texts))
    opened.save(tmp_path / "small", storage="int8")
    assert Classifier.load(tmp_path / "small").score(texts, labels) > 0.9


def test_the_same_seed_gives_the_same_bits_on_any_number_of_threads():
    one, other = (Classifier(**{**QUICK, "threads": n}).fit(*chases(100)) for n in (1, 3))
    np.testing.assert_array_equal(one.head_.matrix, other.head_.matrix)


def test_folds_are_all_trained_on_and_their_mean_is_one_model(tmp_path):
    texts, labels = chases(200)
    folded = Classifier(**QUICK, folds=3, max_updates=200, keep_run=True)
    folded.run(Examples.of(texts, labels), folder=tmp_path / "model")
    assert sum(each.texts for each in folded.development_.classes) == 200
    assert folded.score(*chases(100, seed=1)) == 1
    opened = Classifier.load(tmp_path / "model")
    np.testing.assert_array_equal(opened.predict_proba(texts), folded.predict_proba(texts))
    places = [tmp_path / "model.run" / f"fresh-{number}" for number in (1, 2, 3)]
    heads = [read_output(place, cmow.load(place).parts)["head"] for place in places]
    assert not np.array_equal(heads[0], heads[1])
    np.testing.assert_allclose(opened.head_.matrix, np.mean(heads, axis=0), atol=1e-6)
    again = Classifier(**QUICK, folds=3, max_updates=200, keep_run=True)
    again.run(Examples.of(texts, labels), folder=tmp_path / "model", resume=True)
    np.testing.assert_array_equal(again.head_.matrix, folded.head_.matrix)


def test_of_several_finished_runs_the_model_alone_is_left(tmp_path):
    texts, labels = chases(50)
    examples, folder = Examples.of(texts, labels), tmp_path / "model"
    first = Classifier(**QUICK, folds=2, max_updates=10)
    first.run(examples, folder=folder)
    assert [file.name for file in tmp_path.iterdir()] == ["model"]
    written = (folder / "labels.json").stat().st_mtime_ns
    again = Classifier(**QUICK, folds=2, max_updates=10)
    assert again.run(examples, folder=folder, resume=True).ending.finished
    np.testing.assert_array_equal(again.head_.matrix, first.head_.matrix)
    assert (folder / "labels.json").stat().st_mtime_ns == written
    with pytest.raises(ConfigError, match="is a model already"):
        again.run(examples, folder=folder)


def test_several_runs_that_the_clock_paused_can_be_resumed(tmp_path):
    examples, folder = Examples.of(*chases(50)), tmp_path / "model"
    settings = {**QUICK, "folds": 2, "max_updates": 200}
    paused = Classifier(**settings, max_minutes=1e-6)
    assert not paused.run(examples, folder=folder).ending.finished
    resumed, whole = Classifier(**settings, max_minutes=60.0), Classifier(**settings)
    assert resumed.run(examples, folder=folder, resume=True).ending.finished
    whole.run(examples, folder=tmp_path / "whole")
    np.testing.assert_array_equal(resumed.head_.matrix, whole.head_.matrix)


def test_folds_are_as_large_and_hold_as_much_of_each_class():
    examples = Examples.of([f"text {number}" for number in range(50)], ["x"] * 38 + ["y"] * 12)
    folds = in_folds(examples, 4, seed=3)
    assert set(np.bincount(folds)) == {12, 13}
    assert np.bincount(folds[38:]).tolist() == [3, 3, 3, 3]


def test_folds_that_cannot_be_are_refused():
    with pytest.raises(ConfigError, match="folds hold out texts of their own"):
        Classifier(**QUICK, folds=2).fit(*chases(20), development=chases(5))
    with pytest.raises(ConfigError, match="30 folds of 20 texts: lower folds"):
        Classifier(**QUICK, folds=30).fit(*chases(20))


def test_several_labels_a_text():
    texts, _ = chases(400)
    labels = [[word for word in ("cat", "fox") if word in text] for text in texts]
    classifier = Classifier(**QUICK, class_weights="balanced").fit(texts, labels)
    assert classifier.score(texts, labels) == 1
    assert classifier.predict(["the cat chased the fox", "the dog"]) == [("cat", "fox"), ()]
    assert classifier.predict_proba(["the dog"]).max() < 0.4


def test_scores_are_predicted_in_their_own_units():
    generator = np.random.default_rng(0)
    texts = [" ".join(generator.choice(ANIMALS, 4)) for _ in range(400)]
    scores = [100 + 10.0 * text.split().count("cow") for text in texts]
    classifier = Classifier(**QUICK, scores=True).fit(texts, scores)
    assert classifier.score(texts, scores) > 0.95
    assert classifier.predict(["cow cow cow owl"])[0] == pytest.approx(130, abs=4)
    with pytest.raises(ConfigError, match="no probabilities"):
        classifier.predict_proba(texts)


def test_pairs_of_texts(tmp_path):
    generator = np.random.default_rng(0)
    pairs = [tuple(generator.choice(ANIMALS, 2)) for _ in range(600)]
    labels = [int(a == b) for a, b in pairs]
    classifier = Classifier(**QUICK).fit(pairs, labels)
    assert classifier.score(pairs, labels) == 1
    assert classifier.predict([("cow", "cow"), ("cow", "owl")]).tolist() == [1, 0]
    classifier.save(tmp_path / "model")
    assert Classifier.load(tmp_path / "model").score(pairs, labels) == 1
    with pytest.raises(ConfigError, match="pairs of texts are wanted"):
        classifier.predict(["cow"])


# ---- starts -------------------------------------------------------------------------------------


def test_a_start_gives_its_words_and_new_ones_follow(fitted):
    texts, labels = chases(100)
    texts = [text.replace("dog", "wolf") for text in texts]
    frozen = Classifier(start=fitted.encoder_, rates=0, threads=1).fit(texts, labels)
    known = len(fitted.encoder_.vocabulary)
    assert frozen.encoder_.vocabulary.words[known:] == ("wolf",)
    before = fitted.encoder_.parts
    for part, after in zip(before, frozen.encoder_.parts[: len(before)], strict=True):
        np.testing.assert_array_equal(part.table, after.table[:known])
    moved = Classifier(start=fitted.encoder_, rates="cmow=0", threads=1).fit(texts, labels)
    for part, after, same in zip(
        before, moved.encoder_.parts[: len(before)], (False, True), strict=True
    ):
        assert np.array_equal(part.table, after.table[:known]) == same


def test_the_start_is_the_english_model_unless_another_is_given():
    started = Classifier(**{**QUICK, "start": "english"}, max_updates=2).fit(*chases(40))
    default = {name: value for name, value in QUICK.items() if name != "start"}
    found = Classifier(**default, max_updates=2).fit(*chases(40))
    assert str(found.encoder_.shape) == f"{cmow.load().shape}+{SHAPE}"
    np.testing.assert_array_equal(found.head_.matrix, started.head_.matrix)


@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_the_parts_of_the_start_and_the_fresh_ones_are_trained_for_themselves(
    fitted, tmp_path, pairs
):
    texts, labels = chases(100)
    if pairs:
        texts = [tuple(text.split(" chased ")) for text in texts]
    settings = {**QUICK, "folds": 2, "max_updates": 50, "keep_run": True}
    both = Classifier(**{**settings, "start": fitted.encoder_})
    both.run(Examples.of(texts, labels), folder=tmp_path / "model")
    opened = Classifier.load(tmp_path / "model")
    said = opened.decision_function(texts)
    np.testing.assert_array_equal(both.decision_function(texts), said)
    each = []
    for name in ("started-1", "started-2", "fresh-1", "fresh-2"):
        place = tmp_path / "model.run" / name
        encoder = cmow.load(place)
        each.append((encoder.parts, read_output(place, encoder.parts)))
    assert str(opened.encoder_.shape) == f"{SHAPE}+{SHAPE}"
    assert [part.name for part in opened.encoder_.parts] == ["cbow", "cmow", "cbow-2", "cmow-2"]
    for part, one, other in zip(
        opened.encoder_.parts, each[0][0] + each[2][0], each[1][0] + each[3][0], strict=True
    ):
        np.testing.assert_allclose(part.rows(), (one.rows() + other.rows()) / 2, atol=1e-6)


@pytest.mark.parametrize("share", [0.0, 0.1], ids=["nothing held out", "held out"])
@pytest.mark.parametrize("pairs", [False, True], ids=["texts", "pairs"])
def test_scores_are_a_mean_of_what_is_started_and_what_is_fresh(fitted, tmp_path, pairs, share):
    texts, labels = chases(100)
    if pairs:
        texts = [tuple(text.split(" chased ")) for text in texts]
    settings = {"max_updates": 50, "keep_run": True, "validation_share": share}
    both = Classifier(**{**QUICK, **settings, "start": fitted.encoder_})
    both.run(Examples.of(texts, labels), folder=tmp_path / "model")
    flat = [text for pair in texts for text in pair] if pairs else texts
    scores = []
    for name in ("started-1", "fresh-1"):
        encoder = cmow.load(tmp_path / "model.run" / name)
        tables = read_output(tmp_path / "model.run" / name, encoder.parts)
        scores.append(Head(tables["head"], tables["bias"][0], pairs).scores(encoder.encode(flat)))
    said = both.decision_function(texts)
    apart = (scores[0] - scores[1]).ravel()
    found = float((said - scores[1]).ravel() @ apart / (apart @ apart))
    np.testing.assert_allclose(
        said, found * scores[0] + (1 - found) * scores[1], rtol=1e-3, atol=1e-4
    )
    assert 0 <= found <= 1.001
    assert share or found == pytest.approx(0.75, abs=1e-3)


def test_scores_that_tell_more_get_the_larger_share():
    labels, draws = Labels("class", ("x", "y"), False), np.random.default_rng(0)
    right = np.eye(2, dtype=np.float32)[draws.integers(2, size=200)]
    good, bad = (right + noise * draws.normal(size=right.shape) for noise in (0.5, 2))
    share = labels.best_share(good, bad, right)
    assert 0.5 < share < 1
    assert labels.best_share(bad, good, right) == pytest.approx(1 - share, abs=1e-4)
    amounts, far = right[:, :1], right[:, :1] + 1
    score = Labels("score", (), False)
    assert score.best_share(amounts, far, amounts) == pytest.approx(1, abs=1e-4)


def test_matrices_step_less_where_texts_are_long():
    shape = Shape.parse("mean(sum(8))+mean(product(4))+windows(3)")
    names = ("cbow", "cmow", "windows")
    assert part_rates(1.0, shape, 8) == dict.fromkeys(names, 1.0)
    assert part_rates("cmow=0.5", shape, 4 * LONG) == {"cbow": 1, "cmow": 0.125, "windows": 0.25}
    texts, labels = chases(90)
    texts = [f"{text} {'and so on ' * 60}" for text in texts]
    assert np.isfinite(Classifier(start=None, threads=1).fit(texts, labels).head_.matrix).all()


def test_a_start_of_pieces_is_brought_to_words(tmp_path):
    library = tokenizers.Tokenizer(
        tokenizers.models.WordPiece(
            {word: n for n, word in enumerate(["[UNK]", "the", "cat", "##fish", "fox"])},
            unk_token="[UNK]",
        )
    )
    library.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    library.save(str(tmp_path / "tokenizer.json"))
    start = Encoder.initialize(
        Tokenizer.from_file(tmp_path / "tokenizer.json"), shape="mean(sum(3))+product(2)"
    )
    texts = ["the cat", "the catfish", "the fox", "qqq fox"] * 5
    classifier = Classifier(**{**QUICK, "start": start}, rates=0).fit(texts, list("abcd") * 5)
    assert classifier.encoder_.tokenizer.kind == "words"
    assert classifier.encoder_.vocabulary.words == ("the", "cat", "fox", "catfish", "qqq")
    for part, brought in zip(start.parts, classifier.encoder_.parts[:2], strict=True):
        rows = part.rows()
        wanted = [rows[1], rows[2], rows[4], (rows[2] + rows[3]) / 2]
        np.testing.assert_allclose(brought.rows()[:4], wanted, rtol=1e-6)


def test_vectors_of_a_file_with_fresh_parts_beside_them(tmp_path):
    path = tmp_path / "vectors.vec"
    rows = [f"{word} {number} {number % 2}" for number, word in enumerate(ANIMALS)]
    path.write_text("\n".join([f"{len(rows)} 2", *rows]) + "\n")
    classifier = Classifier(**{**QUICK, "shape": "mean(product(4))", "start": path})
    assert str(classifier.fit(*chases(600)).encoder_.shape) == "sum(2)+mean(product(4))"
    assert classifier.score(*chases(100, seed=5)) > 0.95


def test_a_projected_encoder_starts_with_its_parts(fitted):
    encoder = fitted.encoder_
    eye = Placement("cbow", 0, 8, np.eye(8, dtype=np.float32))
    parts = [Part(part.name, part.shape, part.table) for part in encoder.parts]
    projected = Encoder(
        encoder.tokenizer, parts, projection=Projection((eye,), np.ones(8, np.float32))
    )
    again = Classifier(start=projected, threads=1, learning_rate=0.02).fit(*chases(300))
    assert again.encoder_.projection is None
    assert again.score(*chases(100, seed=3)) == 1


# ---- scikit-learn -------------------------------------------------------------------------------


def test_cross_validation_and_grid_search():
    from sklearn.base import clone, is_classifier
    from sklearn.model_selection import GridSearchCV, cross_val_score

    texts, labels = chases(240)
    classifier = Classifier(**QUICK)
    assert is_classifier(classifier)
    assert clone(classifier).get_params() == classifier.get_params()
    assert cross_val_score(classifier, texts, labels, cv=3).mean() > 0.9
    grid = GridSearchCV(classifier, {"learning_rate": [1e-6, 0.02]}, cv=2).fit(texts, labels)
    assert grid.best_params_ == {"learning_rate": 0.02}
    assert grid.score(texts, labels) > 0.9


def test_settings_are_checked():
    with pytest.raises(ConfigError, match="there is no setting learning_rat"):
        Classifier(learning_rat=1)
    with pytest.raises(ConfigError, match="no setting nothing"):
        Classifier().set_params(nothing=1)
    with pytest.raises(ConfigError, match="word_dropout must be a number of at least 0 and"):
        Classifier(word_dropout=1.5).fit(*chases(10))
    with pytest.raises(ConfigError, match=r"rates of 'tree', but there is cbow, cmow"):
        Classifier(**QUICK, rates="tree=1").fit(*chases(10))
    with pytest.raises(ConfigError, match="'x' is not a number"):
        Classifier(**QUICK, rates="cbow=x").fit(*chases(10))
    with pytest.raises(ConfigError, match="class_weights of 'tree'"):
        Classifier(**QUICK, class_weights={"tree": 2}).fit(*chases(10))
    with pytest.raises(ConfigError, match="nothing has been learned yet"):
        Classifier().predict(["a"])


# ---- bad input ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("texts", "labels", "message"),
    [
        (["a b", "c d"], ["x", "x"], "all 2 texts have the label 'x'"),
        (["a b"], ["x", "y"], "1 texts and 2 labels"),
        (["a b", " "], ["x", "y"], "text 2: the text is empty"),
        (["a b", "c", "d"], ["x", None, None], r"text 2: no label \(2 of 3 lack one\)"),
        (["a b", 3], ["x", "y"], "text 2: 3 is not a text"),
        (["a b", ("c", "d")], ["x", "y"], "text 2: pairs and single texts"),
        ([("a", "b", "c"), "d"], ["x", "y"], "text 1: 3 texts: give one, or a pair"),
        (["a b", "c d"], [["x"], "y"], "text 2: one label where others have a list"),
        (["a b", "c d"], ["x", 1.5], "text 2: 1.5 is no label"),
        (["a b", "c d"], [(), ()], "no text has any label"),
    ],
)
def test_bad_examples_are_refused_by_their_place(texts, labels, message):
    with pytest.raises((ConfigError, FormatError), match=message):
        Classifier(**QUICK).fit(texts, labels)


def test_labels_that_training_lacks_are_refused(fitted):
    with pytest.raises(FormatError, match="text 2: the label 'z' is not among those of training"):
        Classifier(**QUICK).fit(["a b", "c"], ["x", "y"], development=(["a", "c"], ["x", "z"]))
    with pytest.raises(FormatError, match=r"text 1: the label 'z' .*: hunted, hunter, none"):
        fitted.score(["the cat"], ["z"])
    with pytest.raises(FormatError, match="text 2: a list of labels where training had one each"):
        fitted.score(["the cat", "the dog"], ["none", ["none"]])
    with pytest.raises(FormatError, match="text 1: 'x' is no score"):
        Classifier(**QUICK, scores=True).fit(["a b", "c"], ["x", 2])
    with pytest.raises(ConfigError, match="all scores are 2"):
        Classifier(**QUICK, scores=True).fit(["a b", "c"], [2, 2])


@pytest.mark.parametrize(
    ("page", "message"),
    [
        (None, "labels.json is missing: not a classifier's folder"),
        ("[1]", "not the page of a classifier"),
        ('{"format": "cmow labels", "version": 9}', "of another version"),
        ('{"format": "cmow labels", "version": 1}', "damaged"),
    ],
)
def test_damaged_folders_are_refused(fitted, tmp_path, page, message):
    fitted.save(tmp_path)
    (tmp_path / "labels.json").unlink()
    if page is not None:
        (tmp_path / "labels.json").write_text(page)
    with pytest.raises(FormatError, match=message):
        Classifier.load(tmp_path)


def test_the_head_of_another_model_is_refused(fitted, tmp_path):
    fitted.save(tmp_path)
    Labels("class", ("a", "b")).write(tmp_path)
    with pytest.raises(FormatError, match="the head is missing, or of another model"):
        Classifier.load(tmp_path)


# ---- how good it is -----------------------------------------------------------------------------


def test_the_report_is_scikit_learn_s(fitted, tmp_path):
    from sklearn.metrics import accuracy_score, confusion_matrix, log_loss
    from sklearn.metrics import precision_recall_fscore_support as by_class

    texts, labels = chases(200, seed=4)
    labels = ["none" if number % 7 == 0 else label for number, label in enumerate(labels)]
    said, shares = fitted.predict(texts), fitted.predict_proba(texts)
    report = fitted.test(Examples.of(texts, labels))
    assert report.score == accuracy_score(labels, said)
    np.testing.assert_array_equal(report.confusion, confusion_matrix(labels, said))
    wanted = np.array(by_class(labels, said, zero_division=0)).T
    np.testing.assert_allclose([each[1:] for each in report.classes], wanted)
    assert report.macro_f1 == pytest.approx(wanted[:, 2].mean())
    assert report.loss == pytest.approx(log_loss(labels, shares))
    plot_confusion(report, tmp_path / "confusion.png")
    assert (tmp_path / "confusion.png").read_bytes().startswith(b"\x89PNG")


def test_the_temperature_makes_probabilities_of_scores():
    generator = np.random.default_rng(0)
    shares = generator.dirichlet([1, 1, 1], 5000)
    targets = np.stack([generator.multinomial(1, row) for row in shares]).astype(np.float32)
    labels = Labels("class", ("a", "b", "c"))
    scores = np.float32(4 * np.log(shares))
    warm = labels.calibrated(scores, targets)
    assert warm.temperature == pytest.approx(4, rel=0.05)
    names = [labels.classes[c] for c in targets.argmax(axis=1)]
    examples = Examples([""] * 5000, names, names)
    before, after = (Report.of(each, scores, examples) for each in (labels, warm))
    assert after.calibration_error < 0.03 < before.calibration_error
    tags = Labels("tags", ("a", "b", "c"))
    odds = np.float32(3 * np.log(shares / (1 - shares)))
    assert tags.calibrated(odds, targets).temperature == pytest.approx(3, rel=0.1)

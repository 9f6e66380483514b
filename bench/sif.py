"""What smooth inverse frequencies and removed components are worth, by development pairs alone.

    python bench/sif.py PREPARED --data SENTEVAL --data PROBING --models FOLDER

Trains encoders by our recipe, weighs their words by frequency, takes the first components out of
their vectors, and compares the development pairs of STS-B and the training pairs of SICK by cosine:
no test score is looked at. Components are those of sentences of the corpus, or of the other
development texts of both sets, which are like the texts that are compared and none of them. What
classifiers make of it is told by development sentences and inner folds. Writes results/sif.json and
results/sif.md; trials that they hold already are not done again.
"""

import argparse
from pathlib import Path
from statistics import fmean
from typing import Any

from measuring import machine, table, write_results
from model_scores import development_cosines, development_scores
from trials import Settings, done_trials, known_trials

from cmow import Encoder, TrainConfig, load, train
from cmow.corpus import Corpus
from cmow.encoder.making import SMOOTHING
from cmow.evaluation import TASKS, DataFolder
from cmow.evaluation.tasks.benchmark import read_benchmark

SAMPLE = 10_000
SMOOTHINGS = (None, 1e-4, 1e-3, 1e-2, 1e-1)
CORPUS, LIKE = "of the corpus", "of like texts"
REMOVALS = ((0, ""), (1, CORPUS), (2, CORPUS), (1, LIKE), (2, LIKE))
CLASSIFICATION = ("TREC", "MRPC", "CR", "BShift")
UPDATES = 3600
TRIALS: dict[str, Settings] = {
    **{
        shape: {"shape": shape, "max_updates": UPDATES}
        for shape in ("sum(784)", "sum(400)+product(20)", "sum(400)+windows(20)")
    },
    "taught": {"part": "cbow"},
    "longer": {"part": "windows-2"},
}


def views(encoder: Encoder) -> dict[str, Encoder]:
    """What of an encoder is compared: vectors, matrices, and both as `similarity` has them."""
    sees_order = [not part.monoid.commutes for part in encoder.parts]
    if all(sees_order) or not any(sees_order):
        return {"matrices" if all(sees_order) else "vectors": encoder.comparable()}
    return {
        "vectors": encoder.bag(),
        "matrices": encoder.order().comparable(),
        "together": encoder.comparable(),
    }


def cosines_of(encoder: Encoder, samples: dict[str, list[str]], data: list[Path]) -> dict[str, Any]:
    """Development scores of each view, by smoothing and components."""
    adds = any(part.monoid.adds for part in encoder.parts)
    found: dict[str, Any] = {}
    for smoothing in SMOOTHINGS:
        weighted = encoder if smoothing is None else encoder.weighted_by_frequency(smoothing)
        for components, texts in REMOVALS:
            changed = weighted
            if components and adds:
                changed = weighted.without_components(samples[texts], components)
            found[setting(smoothing, components, texts)] = {
                name: development_cosines(view, data) for name, view in views(changed).items()
            }
    return found


def classified(encoder: Encoder, data: list[Path]) -> dict[str, Any]:
    """What classifiers make of all numbers, as they are and weighted by the default."""
    encoders = {
        setting(None, 0, ""): encoder,
        setting(SMOOTHING, 0, ""): encoder.weighted_by_frequency(),
    }
    return {name: development_scores(one, data, CLASSIFICATION) for name, one in encoders.items()}


def setting(smoothing: float | None, components: int, texts: str) -> str:
    """A line of the table."""
    weights = "all words alike" if smoothing is None else f"smoothing {smoothing:g}"
    return f"{weights}, {components} {texts} removed" if components else weights


def samples_of(corpus: Corpus, data: list[Path]) -> dict[str, list[str]]:
    """Sentences from all over the corpus, and such as are like those compared but none of them."""
    step = max(len(corpus) // SAMPLE, 1)
    words = corpus.vocabulary.words
    lines = [" ".join(words[i] for i in corpus[at]) for at in range(0, len(corpus), step)]
    folder = DataFolder(data)
    benchmark, sick = read_benchmark(folder), TASKS["SICK-R"].read(folder)
    compared = {*benchmark[1].texts(), *sick[0].texts()}
    others = dict.fromkeys([*benchmark[0].texts(), *sick[1].texts()])
    return {CORPUS: lines[:SAMPLE], LIKE: [text for text in others if text not in compared]}


def sif_table(trials: dict[str, Any], removals: tuple[tuple[int, str], ...] = REMOVALS) -> str:
    """The mean of both sets of pairs for each setting, model and view."""
    scores = {name: trial["scores"]["cosines"] for name, trial in trials.items()}
    columns = [
        (name, view) for name, found in scores.items() for view in next(iter(found.values()))
    ]
    settings = [
        setting(smoothing, components, texts)
        for smoothing in SMOOTHINGS
        for components, texts in removals
    ]
    return table(
        ["", *(f"{name}: {view}" for name, view in columns)],
        [
            [each, *(f"{fmean(scores[name][each][view].values()):.1f}" for name, view in columns)]
            for each in settings
        ],
    )


def classifiers_table(trials: dict[str, Any]) -> str:
    """What classifiers make of weights."""
    return table(
        ["encoder", "words", *CLASSIFICATION],
        [
            [name, weights, *(f"{found[task]:.1f}" for task in CLASSIFICATION)]
            for name, trial in trials.items()
            for weights, found in trial["scores"].get("classifiers", {}).items()
        ],
    )


def main() -> None:
    """Train and score all that is new, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path, help="a prepared corpus")
    parser.add_argument("--data", type=Path, action="append", required=True)
    parser.add_argument("--models", type=Path, required=True, help="where they are trained")
    options = parser.parse_args()
    corpus = Corpus.open(options.corpus)
    samples = samples_of(corpus, options.data)

    def encoder_of(number: int, settings: Settings) -> Encoder:
        if "part" in settings:
            english = load()
            return Encoder(
                english.tokenizer, [p for p in english.parts if p.name == settings["part"]]
            )
        config = TrainConfig.of({"validation_updates": 100_000, **settings})
        return train(corpus, config, folder=options.models / f"sif-{number}", resume=True)

    def scores_of(number: int, settings: Settings) -> dict[str, Any]:
        encoder = encoder_of(number, settings)
        found = {"cosines": cosines_of(encoder, samples, options.data)}
        if "shape" in settings:
            found["classifiers"] = classified(encoder, options.data)
        return found

    trials = done_trials(TRIALS, known_trials("sif"), scores_of)
    sections = [
        f"Encoders by our recipe after {UPDATES:,} updates on {corpus.tokens:,} tokens, one seed; "
        "`taught` and `longer` are parts of the English model, the vectors that a teacher taught "
        "and matrices after 30,000 updates on text. Mean of Spearman's correlations on the "
        "development pairs of STS-B and the training pairs of SICK, by cosines: of the vectors, of "
        "the matrices' deviations, and of both together as `similarity` compares them. Components "
        f"are those of {len(samples[CORPUS]):,} sentences of the corpus, or of "
        f"{len(samples[LIKE]):,} other sentences of STS-B and SICK, and are taken out of vectors "
        "alone.",
        sif_table(trials),
        "What classifiers make of the same encoders, all parts as they are: accuracy on "
        "development sentences or inner folds.",
        classifiers_table(trials),
    ]
    write_results(
        "sif", "Smooth inverse frequency", {"machine": machine(), "trials": trials}, sections
    )


if __name__ == "__main__":
    main()

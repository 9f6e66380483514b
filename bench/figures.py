"""Fills README and documentation with figures from results/: python bench/figures.py."""

import json
import re
from collections.abc import Callable, Mapping
from math import fsum
from pathlib import Path
from statistics import fmean
from typing import Any

from averaging import wire as wire_of
from both import both_table
from classify import classify_tables
from cosines import cosines_table
from differences import differences
from distilled import models_table
from english import rates_of
from glance import draw, glance_sentence, glance_table
from measuring import OURS, RESULTS, table
from parts import parts_table
from rates import ORDER, rates_table
from recipes import CLASSIFICATION
from sif import LIKE, classifiers_table, sif_table
from storage import costs_table
from student import rates_of as student_rates
from taught import taught_table
from wheel import wheel_table
from word_order import summary

from cmow.evaluation import PAPER_CORPUS, paper_tasks, published, relative_changes
from cmow.paper.reproduction.claims import FAILS, HOLDS, NONE, WEAKER

ROOT = Path(__file__).parent.parent
SIMILARITY = paper_tasks("unsupervised")
DEVELOPMENT = ("cosine", *CLASSIFICATION)
PEER = "fastText"  # that others are compared with
REPRODUCTIONS = {  # by heading the folder of results
    "to the letter": "exact",
    "ten times the rate": "paper",
    "in an hour": "findings",
    "our recipe": "recipe",
}


def encoding(figures: dict[str, Any]) -> str:
    """Sentences a second from strings, against the peers."""
    rates = {
        name: rate["one thread, per CPU-second"] for name, rate in figures["from strings"].items()
    }
    rows = [[name, rate, f"{rate / rates[PEER]:.1f}"] for name, rate in rates.items()]
    header = ["from strings of 25 words", "sentences per CPU-second", f"times {PEER}'s speed"]
    return table(header, rows)


def training(figures: dict[str, Any]) -> str:
    """Windows a second, against the original's formulation."""
    rows = [
        [name, rate["original"], rate["native"], rate["ratio"]]
        for name, rate in figures["windows per second"].items()
    ]
    header = ["training windows a second, two threads", "original in PyTorch", "cmow", "ratio"]
    return table(header, rows)


def speeds() -> str:
    """Both tables, each with its machine and where it comes from."""
    parts = []
    for name, make in (("encode", encoding), ("train", training)):
        figures = json.loads((RESULTS / f"{name}.json").read_text())
        about = figures["machine"]
        source = (
            f"Measured on {about['date']} with `python bench/{name}.py` on {about['cores']} cores "
            f"({about['cpu']}, {about['instruction level']}); more in "
            f"[results/{name}.md](../results/{name}.md)."
        )
        parts.append(f"{make(figures)}\n\n{source}\n")
    return "\n".join(parts)


def scored(folder: str, model: str) -> dict[str, Any]:
    """What is known of a model that `cmow reproduce` has scored, by task."""
    page = json.loads((RESULTS / folder / "scores" / f"{model}-0.json").read_text())
    tasks: dict[str, Any] = page["tasks"]
    return tasks


def points(folder: str, model: str) -> dict[str, float]:
    """The scores of such a model by task."""
    return {task: found["score"] for task, found in scored(folder, model).items()}


def quality() -> str:
    """The recipe's models beside the paper's hybrid."""
    ours = {f"cmow {model}": points("recipe", model) for model in (OURS, "cbow-784")}
    rows = [
        [name, *(f"{scores[task]:.1f}" for task in ("BShift", "WC"))]
        + [f"{fmean(scores[task] for task in paper_tasks('supervised')):.1f}"]
        + [f"{scores[task]:.1f}" for task in SIMILARITY]
        for name, scores in {**ours, "the paper's hybrid": published("Hybrid")}.items()
    ]
    header = ["points", "word order (BShift)", "words (WC)", "mean of 11 supervised tasks"]
    return table([*header, *SIMILARITY], rows) + "\n"


def protocols() -> str:
    """STS scores of the same vectors by all protocols."""
    scores = {task: scored("recipe", OURS)[task]["scores"] for task in SIMILARITY}
    rows = [
        [name, *(f"{of_task[name]:.1f}" for of_task in scores.values())]
        for name in scores[SIMILARITY[0]]
    ]
    return table(["protocol", *SIMILARITY], rows) + "\n"


def by_spearman() -> str:
    """The mean of the supervised tasks if their correlations are Spearman's."""
    found = scored("recipe", OURS)
    mean = fmean(
        found[task]["scores"].get("Spearman", found[task]["score"])
        for task in paper_tasks("supervised")
    )
    return (
        "With Spearman's correlations for STS-B and SICK-R the hybrid's mean of the supervised "
        f"tasks is {mean:.1f}.\n"
    )


def excerpt() -> str:
    """The table of unsupervised tasks of a hybrid and its parts, as `cmow evaluate` has it."""
    compared = "model"
    rows = {
        **{f"paper: {name} ({PAPER_CORPUS})": published(name) for name in ("CBOW/784", "Hybrid")},
        **{f"model/{part}": points("paper", f"hybrid-800.{part}") for part in ("cbow", "cmow")},
        compared: points("paper", "hybrid-800"),
    }
    lines = [[name, *with_mean(scores, "{:.1f}")] for name, scores in rows.items()]
    for other in ("model/cbow", "model/cmow"):
        changes = relative_changes(rows[other], rows[compared], SIMILARITY)
        lines.append([f"vs. {other}", *with_mean(changes, "{:+.1f}%")])
    return table(["model", *SIMILARITY, "mean"], lines) + "\n"


def with_mean(scores: Mapping[str, float], form: str) -> list[str]:
    """The scores of the unsupervised tasks and, last, their mean."""
    cells = [scores[task] for task in SIMILARITY]
    return [form.format(cell) for cell in (*cells, fmean(cells))]


def distilled() -> str:
    """Our models, their teacher, a bag of words and other static models."""
    return models_table(json.loads((RESULTS / "distilled.json").read_text())["models"]) + "\n"


def student() -> str:
    """How many texts a second a student learns from."""
    found = json.loads((RESULTS / "student.json").read_text())["texts per second"]
    return student_rates(found) + "\n"


def taught() -> str:
    """What each choice of the English model is worth, on development data."""
    found = json.loads((RESULTS / "taught.json").read_text())["trials"]
    return taught_table(found) + "\n"


def word_order() -> str:
    """The means of the benchmark of word order."""
    return summary(json.loads((RESULTS / "word_order.json").read_text())["models"]) + "\n"


def english_speed() -> str:
    """The English model from strings, beside a peer and its teacher."""
    return rates_of(json.loads((RESULTS / "english.json").read_text())["rates"]) + "\n"


def both() -> str:
    """Text and a teacher at once, and side by side."""
    return both_table(json.loads((RESULTS / "both.json").read_text())["models"]) + "\n"


def storage() -> str:
    """What smaller types cost."""
    return costs_table(json.loads((RESULTS / "storage.json").read_text())["storages"]) + "\n"


def tried() -> dict[str, Any]:
    """Settings and development scores of all trials, by name."""
    found: dict[str, Any] = json.loads((RESULTS / "recipes.json").read_text())["trials"]
    return found


def trials() -> str:
    """What each setting was worth on development data."""
    rows = [
        [name, trial["settings"]["max_updates"], f"{trial['scores']['validation loss']:.3f}"]
        + [f"{trial['scores'][column]:.1f}" for column in DEVELOPMENT]
        for name, trial in tried().items()
    ]
    return table(["settings", "updates", "validation loss", *DEVELOPMENT], rows) + "\n"


def rates() -> str:
    """What each rate was worth to a shorter training, on development data."""
    found = json.loads((RESULTS / "rates.json").read_text())["trials"]
    return rates_table(found, ["mean", ORDER]) + "\n"


def cosines() -> str:
    """How matrices enter a cosine best."""
    return cosines_table(json.loads((RESULTS / "cosines.json").read_text())["scores"]) + "\n"


def sif() -> str:
    """What frequent words and shared components are worth in cosines."""
    found = json.loads((RESULTS / "sif.json").read_text())["trials"]
    return f"{sif_table(found, ((0, ''), (2, LIKE)))}\n\n{classifiers_table(found)}\n"


def parts() -> str:
    """What each kind of part was worth to a training of minutes, on development data."""
    found = json.loads((RESULTS / "parts.json").read_text())["trials"]
    return parts_table(found, ["cosine", *CLASSIFICATION]) + "\n"


def normalized() -> str:
    """What it is worth to divide each part by its norm: first trial, best short one, recipe."""
    found = tried()
    short = next(name for name in found if name.endswith(": B"))
    rows = [
        [f"{name}{how}", *(f"{found[name]['scores'][column + how]:.1f}" for column in DEVELOPMENT)]
        for name in (next(iter(found)), short, next(reversed(found)))
        for how in ("", ", normalized")
    ]
    return table(["settings", *DEVELOPMENT], rows) + "\n"


def section(folder: str, heading: str) -> str:
    """What the page of an experiment has below a heading."""
    page = f"{folder}/README.md"
    text = (RESULTS / page).read_text("utf-8")
    found = re.search(
        rf"^## {re.escape(heading)}\n\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE
    )
    assert found is not None, f"results/{page} has no heading {heading!r}"
    return re.sub(r"(!\[.*\]\()", rf"\1../results/{folder}/", found[1]).strip() + "\n"


def hour() -> str:
    """How long the findings took: training, and scores on all tasks."""
    folder = RESULTS / "findings"
    histories = [path.read_text().splitlines() for path in folder.glob("runs/*.jsonl")]
    trained = fsum(json.loads(lines[-1])["seconds"] for lines in histories)
    pages = [json.loads(path.read_text()) for path in folder.glob("scores/*.json")]
    scored = fsum(task["seconds"] for page in pages for task in page["tasks"].values())
    return (
        f"Training took {trained / 60:.0f} minutes and scoring {scored / 60:.0f}, on both cores.\n"
    )


def wire() -> str:
    """What meetings of machines that learn apart send, at the pace of our recipe's run."""
    lines = (RESULTS / "recipe" / "runs" / f"{OURS}-0.jsonl").read_text().splitlines()
    last = json.loads(lines[-1])
    return wire_of(last["seconds"] / last["update"]) + "\n"


def wheel() -> str:
    """The speed of a wheel beside a core that was compiled on the spot."""
    return wheel_table(json.loads((RESULTS / "wheel.json").read_text())["rates"]) + "\n"


def claims() -> str:
    """The paper's claims, and what each reproduction has to say of them."""
    tables = {name: judged(folder) for name, folder in REPRODUCTIONS.items()}
    theirs = {claim: line[:2] for found in tables.values() for claim, line in found.items()}
    rows = [
        [claim, *published]
        + ["{}<br>**{}**".format(*f[claim][2:]) if claim in f else "–" for f in tables.values()]
        for claim, published in theirs.items()
    ]
    return table(["claim", "paper", "authors, retrained", *tables], rows) + "\n"


def verdicts() -> str:
    """What holds, holds weaker and does not: by our recipe, else at ten times the rate."""
    best = {**judged(REPRODUCTIONS["ten times the rate"]), **judged(REPRODUCTIONS["our recipe"])}
    lists = []
    for verdict in (HOLDS, WEAKER, FAILS):
        lines = []
        for claim, (paper, again, ours, judgment) in best.items():
            if judgment == verdict:
                later = "" if again == NONE else f"; retrained {again}"
                found = re.sub(r" \([^()]* seeds\b[^()]*\)", "", ours)
                lines.append(f"- {claim}: {found} (paper {paper}{later})")
        title = f"**{verdict.capitalize()}: {len(lines)} of {len(best)}**"
        lists.append("\n".join([title, "", *lines, ""]))
    return "\n".join(lists)


def judged(folder: str) -> dict[str, list[str]]:
    """By claim what a page has: the paper's evidence, the authors' later one, ours, the verdict."""
    lines = section(folder, "Claims").splitlines()[2:]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return {claim: rest for claim, *rest in cells}


# By page, the blocks between <!-- name --> and <!-- /name -->.
BLOCKS: dict[str, dict[str, Callable[[], str]]] = {
    "README.md": {"quality": glance_table},
    "docs/classify.md": {"classify": classify_tables},
    "docs/clusters.md": {"wire": wire},
    "docs/speed.md": {"figures": speeds},
    "docs/evaluate.md": {"excerpt": excerpt, "protocols": protocols},
    "docs/model-folder.md": {"storage": storage},
    "docs/distill.md": {"student": student},
    "docs/english.md": {"distilled": distilled, "speed": english_speed, "taught": taught},
    "docs/index.md": {"headline": glance_sentence},
    "docs/results.md": {"glance": glance_table},
    "docs/wheels.md": {"wheel": wheel},
    "docs/word-order.md": {"triples": word_order},
    "docs/recipes.md": {"differences": differences, "quality": quality},
    "docs/recipes-tables.md": {
        "recipe": lambda: section("recipe", "The recipe"),
        "spearman": by_spearman,
        "trials": trials,
        "normalized": normalized,
        "hour": lambda: section("recipe", "Four ways to spend an hour"),
        "parts": parts,
        "cosines": cosines,
        "sif": sif,
        "both": both,
        "rates": rates,
    },
    "docs/paper.md": {"verdicts": verdicts, "hour": hour},
    "docs/paper-tables.md": {
        "claims": claims,
        "findings": lambda: section("findings", "The findings in an hour"),
        "models": lambda: section("paper", "The models of the paper"),
        "objective": lambda: section(
            "paper", "Objective: the center of the window (C) or a random word of it (R)"
        ),
        "initialization": lambda: section("paper", "Initialization of the matrices"),
        "values": lambda: section("paper", "Values against the number of multiplications"),
        "speed": lambda: section("paper", "Encoding speed"),
    },
}


def filled(page: str) -> str:
    """A page with the figures of today's results."""
    text = (ROOT / page).read_text("utf-8")
    for name, make in BLOCKS[page].items():
        block = re.compile(rf"(?<=<!-- {name} -->\n).*(?=<!-- /{name} -->)", re.DOTALL)
        assert block.search(text), f"{page} has no block {name!r}"
        text = block.sub(lambda _, make=make: make(), text)
    return text


if __name__ == "__main__":
    draw()
    for page in BLOCKS:
        (ROOT / page).write_text(filled(page), "utf-8")

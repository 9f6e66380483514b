"""What the demo can show on texts of several sizes: its models beside the one that ships.

    python bench/demo.py TEXT [--sizes 20000,300000]

Writes results/demo.json and results/demo.md. The text has a sentence a line, and as many lines as
the largest size. Nothing is parsed: asked are the order of words and which words there are. A size
that the results hold already is not measured again.
"""

import argparse
import json
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from measuring import RESULTS, machine, table, write_results

from cmow import load
from cmow.evaluation import scores_of
from cmow.paper.demo import (
    CBOW,
    CMOW,
    ENGLISH,
    HYBRID,
    DemoFolder,
    DemoSettings,
    evaluate_models,
    from_text,
    read_text,
    train_models,
)
from cmow.paper.demo import material as parsing

ASKED = ("BShift", "WC")
MODELS = (CBOW, CMOW, HYBRID, ENGLISH)


def measure(text: Path, lines: int) -> dict[str, Any]:
    """The scores on the first lines of a text, and the CPU time of training."""
    settings = replace(DemoSettings(), most_sentences=lines)
    with TemporaryDirectory() as folder:
        place = DemoFolder(Path(folder) / "demo")
        place.begin(text.name)
        own = read_text(text, settings)
        material = from_text(own, place, settings, progress=lambda _: None)
        start = time.process_time()
        models = train_models(material, settings, progress=lambda *_: None)
        seconds = time.process_time() - start
        material = material._replace(sets=[s for s in material.sets if s.task in ASKED])
        report = evaluate_models(
            models, material, data=place.path, progress=lambda _: None, beside=load("english")
        )
    scores = {name: scores_of(report, name) for name in MODELS}
    return {"sentences": len(material.training), "CPU seconds": seconds, "scores": scores}


def _shown(score: float | None) -> str:
    return "–" if score is None else f"{score:.1f}"


def main() -> None:
    """Measure all sizes, and write everything."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("text", type=Path)
    parser.add_argument("--sizes", default="20000,300000")
    options = parser.parse_args()
    parsing.find_spec = lambda _: None  # as if there were no parser
    kept = RESULTS / "demo.json"
    found = json.loads(kept.read_text("utf-8"))["sizes"] if kept.is_file() else {}
    for size in options.sizes.split(","):
        found[size] = found.get(size) or measure(options.text, int(size))
        print(size, found[size], flush=True)
    rows = [
        [f"{int(size):,}", f"{each['sentences']:,}", round(each["CPU seconds"])]
        + [_shown(each["scores"][name].get(task)) for task in ASKED for name in MODELS]
        for size, each in found.items()
    ]
    head = ["lines", "trained on", "CPU seconds"]
    sections = [
        "Right answers in percent, by a linear classifier. BShift: are two neighbors swapped? "
        "(guessing: 50). WC: which of 50 words is in the sentence? (guessing: 2).",
        table([*head, *(f"{task}, {name}" for task in ASKED for name in MODELS)], rows),
    ]
    figures = {"machine": machine(), "sizes": found}
    write_results("demo", "What a text of one's own can show", figures, sections)


if __name__ == "__main__":
    main()

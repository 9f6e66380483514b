"""The speed of a wheel beside that of a core compiled on this machine, in one run.

    python bench/wheel.py PYTHON dist/cmow-…-manylinux….whl

Both are installed into empty environments of the same interpreter, and take turns: encoding texts
with the model that comes with the package, and training by the recipe, each on one thread, by the
CPU's time. Writes results/wheel.json and results/wheel.md; takes some ten minutes, most of them to
compile.
"""

import argparse
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from measuring import machine, table, write_results

ROOT = Path(__file__).parent.parent
ROUNDS = 5
MEASURE = """
import time, cmow
from cmow import TrainConfig, _core
from cmow.paper.grammar import Grammar
texts = [sentence.text for sentence in Grammar().sentences(20_000)]
encoder = cmow.load()
encoder.encode(texts[:100], threads=1)
start = time.process_time()
encoder.encode(texts, threads=1)
encoding = len(texts) / (time.process_time() - start)
config = TrainConfig(shape="hybrid-1184", max_updates=20, threads=1, stop_by="training",
                     validation_share=0.0, validation_updates=1000)
start = time.process_time()
seen = []
cmow.train(texts, config, callbacks=[lambda progress: seen.append(progress.examples)])
training = seen[-1] / (time.process_time() - start)
print(_core.level(), encoding, training)
"""


def installed(python: str, folder: Path, what: str) -> Path:
    """An interpreter with nothing but cmow."""
    subprocess.run([python, "-m", "venv", folder], check=True)
    interpreter = folder / "bin/python"
    quietly = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([interpreter, *quietly, what], check=True, cwd=ROOT)
    return interpreter


def measure(interpreter: Path) -> tuple[str, float, float]:
    """Instruction level, texts a second and windows a second."""
    done = subprocess.run(
        [interpreter, "-c", MEASURE], capture_output=True, text=True, check=True, cwd="/"
    )
    level, encoding, training = done.stdout.split()
    return level, float(encoding), float(training)


def wheel_table(rates: dict[str, Any]) -> str:
    """Both speeds, and those of the wheel as shares of the other's."""
    here = rates["compiled here"]
    rows = [
        [
            name,
            each["level"],
            *(each["texts"], f"{each['texts'] / here['texts']:.2f}"),
            *(each["windows"], f"{each['windows'] / here['windows']:.2f}"),
        ]
        for name, each in rates.items()
    ]
    head = ["", "level", "texts per CPU-second", "of here", "windows per CPU-second", "of here"]
    return table(head, rows)


def main() -> None:
    """Measure both in turns, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("python", help="an interpreter that the wheel is for")
    parser.add_argument("wheel", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        ways = {
            "compiled here": installed(options.python, Path(folder, "here"), "."),
            "the wheel": installed(
                options.python, Path(folder, "wheel"), str(options.wheel.resolve())
            ),
        }
        found: dict[str, list[tuple[str, float, float]]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, interpreter in ways.items():
                found[name].append(measure(interpreter))
    best = {
        name: {
            "level": some[0][0],
            "texts": max(each[1] for each in some),
            "windows": max(each[2] for each in some),
        }
        for name, some in found.items()
    }
    figures = {"machine": machine(), "wheel": options.wheel.name, "rates": best}
    sections = [f"`{options.wheel.name}`", wheel_table(best)]
    write_results("wheel", "Speed of a wheel", figures, sections)


if __name__ == "__main__":
    main()

"""What the benchmarks share: the machine in words, and rates that noise disturbs little."""

import datetime
import importlib.metadata
import json
import platform
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from cmow import TrainConfig, _core
from cmow.threads import usable_cores

OURS = TrainConfig().shape
VOCABULARY = 30_000
RESULTS = Path(__file__).parent.parent / "results"


class Rate(NamedTuple):
    """Items for each second of wall-clock time, and of CPU time over all threads."""

    wall: float
    cpu: float


def best_rate(work: Callable[[], object], items: int, *, tries: int = 5) -> Rate:
    """The best of some tries after a first one that warms up: noise only ever slows down."""
    work()
    wall, cpu = [], []
    for _ in range(tries):
        cpu_start, wall_start = time.process_time(), time.perf_counter()
        work()
        wall.append(time.perf_counter() - wall_start)
        cpu.append(time.process_time() - cpu_start)
    return Rate(items / min(wall), items / min(cpu))


def machine(*packages: str) -> dict[str, Any]:
    """Date, CPU and versions, to stand beside every figure."""
    models = {
        line.split(":", 1)[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    }
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "cpu": ", ".join(sorted(models)) or platform.processor(),
        "cores": usable_cores(),
        "instruction level": _core.level(),
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in ("cmow", "numpy", *packages)},
    }


def usage() -> str:
    """The command that runs, as the text at its head has it: its indented lines."""
    lines = (sys.modules["__main__"].__doc__ or "").splitlines()
    return " ".join(line.strip() for line in lines if line.startswith("    "))


def zipf_ids(rng: np.random.Generator, count: int, *, vocabulary: int = VOCABULARY) -> np.ndarray:
    """Token ids whose frequencies fall as 1/rank, as those of a language do."""
    shares = 1.0 / np.arange(1, vocabulary + 1)
    edges = np.cumsum(shares) / shares.sum()
    ids = np.searchsorted(edges, rng.random(count)).astype(np.int32)
    return np.minimum(ids, vocabulary - 1)


def table(header: list[str], rows: list[list[object]]) -> str:
    """A Markdown table, numbers to the right."""
    right = [not isinstance(cell, str) or _is_number(cell) for cell in rows[0]]
    cells = [header, *([_shown(cell) for cell in row] for row in rows)]
    lines = ["| " + " | ".join(row) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("---:" if to_right else "---" for to_right in right) + "|")
    return "\n".join(lines)


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _shown(cell: object) -> str:
    if isinstance(cell, float):
        return f"{cell:,.0f}" if cell >= 100 else f"{cell:.3g}"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def plot_curves(
    name: str, curves: dict[str, dict[str, float]], *, unit: float, label: str, log: set[str]
) -> None:
    """Draw results/NAME.png, one small panel a curve.

    :param log: the curves whose x-axis is logarithmic
    """
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    width = 3.4 * len(curves)
    figure, axes = plt.subplots(1, len(curves), figsize=(width, 3.2), constrained_layout=True)
    for axis, (title, curve) in zip(axes, curves.items(), strict=True):
        places = [int(x) for x in curve]
        axis.plot(places, [y / unit for y in curve.values()], "o-", color="#30638e")
        axis.set_xlabel(title)
        axis.set_ylim(0, max(curve.values()) / unit * 1.1)
        axis.grid(alpha=0.3)
        if title in log:
            axis.set_xscale("log")
        axis.set_xticks(places, [f"{x:,}" for x in places], fontsize=7)
        axis.minorticks_off()
    axes[0].set_ylabel(label)
    figure.savefig(RESULTS / f"{name}.png", dpi=120)


def write_results(name: str, title: str, figures: dict[str, Any], sections: list[str]) -> None:
    """Write results/NAME.json and a page results/NAME.md, and show the page."""
    RESULTS.mkdir(exist_ok=True)
    facts = ", ".join(f"{key} {value}" for key, value in figures["machine"].items())
    page = "\n\n".join([f"# {title}", f"By `{usage()}`: {facts}.", *sections])
    (RESULTS / f"{name}.json").write_text(json.dumps(figures, indent=1) + "\n")
    (RESULTS / f"{name}.md").write_text(page + "\n")
    print(page)

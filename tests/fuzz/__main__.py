"""Damages files of every kind, and looks for what is neither fine nor refused in one line.

    PYTHONPATH=tests/evaluation python tests/fuzz --minutes 5 --only TOML

What is found is kept in build/fuzz/; make a small test of it, without a file, beside what it tests.
"""

import argparse
import shutil
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from children import FINE, REFUSED, Outcome, run
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from mutations import Mutation, mutations
from targets import TARGETS, Target

KEPT = Path("build/fuzz")
AT_A_TIME = 100  # examples that hypothesis draws from one seed


class Fuzzing:
    """One kind of files, damaged again and again."""

    def __init__(self, target: Target, place: Path) -> None:
        self.target = target
        self.whole = place / "whole"
        self.folder = place / "work" / "folder"
        self.whole.mkdir(parents=True)
        target.make(self.whole)
        self.files = sorted(file for file in self.whole.rglob("*") if file.is_file())
        self.counts: Counter[str] = Counter()
        self.found: dict[str, tuple[Outcome, Path]] = {}
        undamaged = self._outcome(self.files[0].relative_to(self.whole), lambda data: data)
        assert undamaged.kind == FINE, f"{target.name}, undamaged: {undamaged}"

    def go(self, number: int, end: float) -> None:
        """Try some damages."""

        @seed(number)
        @settings(
            max_examples=AT_A_TIME,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        @given(st.sampled_from(self.files), mutations())
        def examples(file: Path, mutation: Mutation) -> None:
            if time.monotonic() < end:
                self._try(file.relative_to(self.whole), mutation)

        examples()

    def _try(self, name: Path, mutation: Mutation) -> None:
        outcome = self._outcome(name, mutation)
        self.counts[outcome.kind] += 1
        if outcome.kind not in (FINE, REFUSED) and outcome.cause not in self.found:
            kept = KEPT / self.target.name.replace(" ", "-") / str(len(self.found)) / name
            kept.parent.mkdir(parents=True, exist_ok=True)
            kept.write_bytes(mutation((self.whole / name).read_bytes()))
            self.found[outcome.cause] = outcome, kept

    def _outcome(self, name: Path, mutation: Mutation) -> Outcome:
        shutil.rmtree(self.folder.parent, ignore_errors=True)
        shutil.copytree(self.whole, self.folder)
        damaged = self.folder / name
        damaged.write_bytes(mutation(damaged.read_bytes()))
        return run(lambda: self.target.use(self.folder, damaged), seconds=self.target.seconds)


def main() -> int:
    """Fuzz for some minutes, in turns; the exit code says whether anything was found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=5)
    parser.add_argument("--only", choices=[target.name for target in TARGETS])
    parser.add_argument("--seed", type=int, default=int(time.time()), help="the time if not given")
    asked = parser.parse_args()
    targets = [target for target in TARGETS if asked.only in (None, target.name)]
    shutil.rmtree(KEPT, ignore_errors=True)
    with tempfile.TemporaryDirectory() as place:
        fuzzings = [Fuzzing(each, Path(place) / each.name) for each in targets]
        end = time.monotonic() + 60 * asked.minutes
        number = asked.seed
        while time.monotonic() < end:
            share = (end - time.monotonic()) / len(fuzzings)
            for fuzzing in fuzzings:
                fuzzing.go(number, min(end, time.monotonic() + min(share, 20)))
            number += 1
    for fuzzing in fuzzings:
        counts = ", ".join(f"{kind} {count:,}" for kind, count in fuzzing.counts.most_common())
        print(f"{fuzzing.target.name}: {counts}")
        for outcome, kept in fuzzing.found.values():
            print(f"  {outcome.kind}: {outcome.detail}\n    {kept}")
    return int(any(fuzzing.found for fuzzing in fuzzings))


if __name__ == "__main__":
    sys.exit(main())

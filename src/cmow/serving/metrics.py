"""Counts of all workers, in memory that they share, as Prometheus reads them.

Each worker has a row of its own to write to, so that nothing is locked; the one that replaces it
goes on with the same row, so that nothing is lost. The row behind them is the parent's.
"""

import mmap
from collections.abc import Iterator, Sequence

import numpy as np

from cmow.serving.service import Tally

STATUSES = (200, 304, 400, 401, 404, 405, 408, 413, 422, 431, 500, 503)
SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
OTHER = "other"  # endpoints that there are not
COUNTS = {
    "texts_total": "Texts that were worked on.",
    "tokens_total": "Their tokens, known and unknown.",
    "unknown_tokens_total": "Their tokens that are not in the vocabulary.",
    "request_bytes_total": "Bytes of requests.",
    "response_bytes_total": "Bytes of answers.",
    "worker_restarts_total": "Workers that were replaced.",
}


class Metrics:
    """What is counted.

    :param endpoints: their paths
    """

    def __init__(self, endpoints: Sequence[str], workers: int = 1) -> None:
        self._endpoints = (*endpoints, OTHER)
        self._workers = workers
        requests = len(self._endpoints) * len(STATUSES)
        self._seconds = requests
        self._sum = self._seconds + len(SECONDS) + 1
        self._open = self._sum + 1
        self._counts = {name: self._open + 1 + i for i, name in enumerate(COUNTS)}
        columns = self._open + 1 + len(COUNTS)
        memory = mmap.mmap(-1, 8 * columns * (workers + 1))
        self._table = np.frombuffer(memory, np.float64).reshape(workers + 1, columns)
        self._row = self._table[workers]

    def use(self, worker: int) -> None:
        """Write to the row of a worker, which has no open request yet."""
        self._row = self._table[worker]
        self._row[self._open] = 0

    def opened(self) -> int:
        """Count a request that begins, and return how many are open in this worker."""
        self._row[self._open] += 1
        return int(self._row[self._open])

    def closed(
        self, path: str, status: int, seconds: float, tally: Tally, taken: int, given: int
    ) -> None:
        """Count a request that ends."""
        row, counts = self._row, self._counts
        endpoint = self._endpoints.index(path if path in self._endpoints else OTHER)
        known = STATUSES.index(status if status in STATUSES else 500)
        row[endpoint * len(STATUSES) + known] += 1
        row[self._seconds + sum(seconds > bound for bound in SECONDS)] += 1
        row[self._sum] += seconds
        row[self._open] -= 1
        row[counts["texts_total"]] += tally.texts
        row[counts["tokens_total"]] += tally.tokens
        row[counts["unknown_tokens_total"]] += tally.unknown
        row[counts["request_bytes_total"]] += taken
        row[counts["response_bytes_total"]] += given

    def restarted(self) -> None:
        """Count a worker that is replaced."""
        self._row[self._counts["worker_restarts_total"]] += 1

    def text(self) -> str:
        """All counts, in Prometheus' format."""
        return "".join(f"{line}\n" for line in self._lines())

    def _lines(self) -> Iterator[str]:
        total = self._table.sum(axis=0).tolist()
        yield from _heading("requests_total", "Requests that were answered.", "counter")
        for number, endpoint in enumerate(self._endpoints):
            for place, status in enumerate(STATUSES):
                if count := total[number * len(STATUSES) + place]:
                    labels = f'endpoint="{endpoint}",status="{status}"'
                    yield f"cmow_requests_total{{{labels}}} {count:.0f}"
        yield from _heading("request_seconds", "Time from the first byte to the last.", "histogram")
        buckets = total[self._seconds : self._sum]
        so_far = 0.0
        for bound, count in zip((*map(str, SECONDS), "+Inf"), buckets, strict=True):
            so_far += count
            yield f'cmow_request_seconds_bucket{{le="{bound}"}} {so_far:.0f}'
        yield f"cmow_request_seconds_sum {total[self._sum]:.6f}"
        yield f"cmow_request_seconds_count {so_far:.0f}"
        yield from _heading("requests_open", "Requests that are being worked on.", "gauge")
        yield f"cmow_requests_open {total[self._open]:.0f}"
        yield from _heading("workers", "Processes that there are to be.", "gauge")
        yield f"cmow_workers {self._workers}"
        for name, place in self._counts.items():
            yield from _heading(name, COUNTS[name], "counter")
            yield f"cmow_{name} {total[place]:.0f}"


def _heading(name: str, explanation: str, kind: str) -> tuple[str, str]:
    return f"# HELP cmow_{name} {explanation}", f"# TYPE cmow_{name} {kind}"

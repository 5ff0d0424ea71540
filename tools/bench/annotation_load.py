"""Annotations a second, the time of requests, and the cost of an annotation for the machine."""

import json
import math
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import IO

import psycopg

from foundation.errors import UserError
from tools.bench.annotator_process import Task
from tools.bench.clock import seconds_of
from tools.bench.figures import Figure


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least `share` (0..1) of the values do not exceed; NaN of none."""
    if not values:
        return math.nan
    place = math.ceil(share * len(values)) - 1
    return sorted(values)[max(place, 0)]


@dataclass
class Load:
    """The load as annotators met it; times in milliseconds."""

    rate: float
    asking: tuple[float, float]  # p50, p95
    submitting: tuple[float, float]
    web: float  # processor time an annotation
    database: float
    cache: float
    rows: float  # that the database read, an annotation
    page: float  # bytes of the response when it was asked for
    answer: float  # bytes of the response when it was submitted

    @property
    def processor(self) -> float:
        return self.web + self.database + self.cache

    def figures(self, name: str) -> list[Figure]:
        """Each number as a figure."""
        numbers = {
            "annotations": (self.rate, "/s"),
            "processor time of one": (self.processor, "ms"), "of it web": (self.web, "ms"),
            "of it PostgreSQL": (self.database, "ms"), "rows read for one": (self.rows, "rows"),
            "asking, median": (self.asking[0], "ms"), "asking, p95": (self.asking[1], "ms"),
            "submitting, median": (self.submitting[0], "ms"), "submitting, p95": (self.submitting[1], "ms"),
            "what asking brings": (self.page, "bytes"), "what submitting brings": (self.answer, "bytes"),
        }  # fmt: skip
        return [Figure(f"{name}: {words}", *number) for words, number in numbers.items()]


@dataclass
class Run:
    """One run of annotators, in seconds; `spent` is processor time by server, `rows` those that the database read."""

    lasted: float
    asking: list[tuple[float, int]]  # with the bytes that came
    submitting: list[tuple[float, int]]
    spent: dict[str, float]
    rows: int


def run_load(task: Task, servers: dict[str, int]) -> Load:
    """Let the annotators work; `servers` are the process numbers of `web`, `database` and `cache`."""
    return together([run_once(task, servers)])


def run_once(task: Task, servers: dict[str, int]) -> Run:
    """The times and costs of one run."""
    command = [sys.executable, "-m", "tools.bench.annotator_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(json.dumps(asdict(task)) + "\n")
        client.stdin.flush()
        before, read_before, began = _hear(client.stdout, "begin", servers)
        after, read, ended = _hear(client.stdout, "end", servers)
        taken = json.loads(client.stdout.readline())
    spent = {name: after[name] - before[name] for name in servers}
    return Run(ended - began, spent=spent, rows=read - read_before, **taken)


def together(runs: Sequence[Run]) -> Load:
    """Several runs of one load as one: their requests in one heap. UserError where nothing was asked or answered."""
    if not (any(run.asking for run in runs) and any(run.submitting for run in runs)):
        raise UserError("Nobody asked or answered within the seconds that were measured: take a larger size.")
    asking, page = zip(*(one for run in runs for one in run.asking), strict=True)
    submitting, answer = zip(*(one for run in runs for one in run.submitting), strict=True)
    each = {name: 1000 * sum(run.spent[name] for run in runs) / len(submitting) for name in runs[0].spent}
    rate = len(submitting) / sum(run.lasted for run in runs)
    rows = sum(run.rows for run in runs) / len(submitting)
    sizes = {"page": sum(page) / len(page), "answer": sum(answer) / len(answer)}
    return Load(rate, _halves(asking), _halves(submitting), **each, rows=rows, **sizes)


def _hear(lines: IO[str], word: str, servers: dict[str, int]) -> tuple[dict[str, float], int, float]:
    """The servers' processor time, the rows read by the database, and the clock, when the annotators say `word`."""
    line = lines.readline().strip()
    if line != word:
        raise UserError("The annotators gave up; what they met stands above.")
    return {name: seconds_of(pid) for name, pid in servers.items()}, _rows_read(), time.perf_counter()


def _rows_read() -> int:
    """Rows and entries of indexes that scans read, for any client; a backend tells them at most a second late."""
    with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
        found = connection.execute(
            "SELECT (SELECT sum(seq_tup_read) FROM pg_stat_user_tables)"
            " + (SELECT sum(idx_tup_read) FROM pg_stat_user_indexes)"
        ).fetchone()
    assert found is not None
    return int(found[0])


def _halves(seconds: Sequence[float]) -> tuple[float, float]:
    return 1000 * percentile(seconds, 0.5), 1000 * percentile(seconds, 0.95)

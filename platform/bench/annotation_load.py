"""Annotations a second, how long requests take, and what an annotation costs the machine."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import IO

from bench.annotator_process import Task
from bench.processor_time import seconds_of
from bench.table_arithmetic import percentile
from foundation.errors import UserError


@dataclass
class Load:
    """What annotators met; times in milliseconds."""

    rate: float
    asking: tuple[float, float]  # p50, p95
    submitting: tuple[float, float]
    web: float  # processor time an annotation
    database: float
    cache: float

    @property
    def processor(self) -> float:
        return self.web + self.database + self.cache


@dataclass
class Run:
    """One run of annotators, in seconds; `spent` is processor time by server."""

    lasted: float
    asking: list[float]
    submitting: list[float]
    spent: dict[str, float]


def run_load(task: Task, servers: dict[str, int]) -> Load:
    """Let the annotators work; `servers` are the process numbers of `web`, `database` and `cache`."""
    return together([run_once(task, servers)])


def run_once(task: Task, servers: dict[str, int]) -> Run:
    """What one run took."""
    command = [sys.executable, "-m", "bench.annotator_process"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as client:  # noqa: S603
        assert client.stdin is not None
        assert client.stdout is not None
        client.stdin.write(json.dumps(asdict(task)) + "\n")
        client.stdin.flush()
        before, began = _hear(client.stdout, "begin", servers)
        after, ended = _hear(client.stdout, "end", servers)
        taken = json.loads(client.stdout.readline())
    spent = {name: after[name] - before[name] for name in servers}
    return Run(ended - began, taken["asking"], taken["submitting"], spent)


def together(runs: Sequence[Run]) -> Load:
    """Several runs of one load as one: their requests in one heap."""
    asking = [took for run in runs for took in run.asking]
    submitting = [took for run in runs for took in run.submitting]
    each = {name: 1000 * sum(run.spent[name] for run in runs) / len(submitting) for name in runs[0].spent}
    rate = len(submitting) / sum(run.lasted for run in runs)
    return Load(rate, _halves(asking), _halves(submitting), **each)


def _hear(lines: IO[str], word: str, servers: dict[str, int]) -> tuple[dict[str, float], float]:
    """The processor seconds of the servers, and the clock, at the moment when the annotators say `word`."""
    line = lines.readline().strip()
    if line != word:
        raise UserError("The annotators gave up; what they met stands above.")
    return {name: seconds_of(pid) for name, pid in servers.items()}, time.perf_counter()


def _halves(seconds: list[float]) -> tuple[float, float]:
    return 1000 * percentile(seconds, 0.5), 1000 * percentile(seconds, 0.95)

"""Runs put together to rows: the seeds of a model on one machine, and beside them the same on others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, stdev

from evaluation.metrics import Floats
from tools.results.bootstrap_intervals import mean_over_seeds
from tools.results.run_store import RunResult

Machine = tuple[object, ...]


@dataclass(frozen=True)
class ResultRow:
    """The runs of one row, a seed each, of the machine that made most of them; `elsewhere` are those of others."""

    name: str
    runs: Sequence[RunResult]
    elsewhere: Sequence[RunResult] = ()

    @property
    def first(self) -> RunResult:
        return self.runs[0]

    def mean(self, measure: str) -> float | None:
        """Over its seeds; None where one of them lacks it, as older runs do."""
        values = self._values(measure)
        return fmean(values) if len(values) == len(self.runs) else None

    def deviation(self, measure: str) -> float | None:
        values = self._values(measure)
        return stdev(values) if len(values) > 1 else None

    def draws(self, measure: str) -> Floats | None:
        """Its mean over drawn sources; None where a run kept none."""
        return mean_over_seeds(self.runs, measure)

    def _values(self, measure: str) -> list[float]:
        return [float(run[measure]) for run in self.runs if run.get(measure) is not None]


def result_rows(found: Mapping[str, RunResult]) -> list[ResultRow]:
    """A row for each name, its seeds in order."""
    groups: dict[str, dict[Machine, list[RunResult]]] = {}
    for run in found.values():
        groups.setdefault(str(run.get("row", run["name"])), {}).setdefault(machine_of(run), []).append(run)
    rows = []
    for name, by_machine in groups.items():
        ordered = sorted(by_machine.values(), key=lambda runs: (len(runs), len(runs[0])), reverse=True)
        first, *others = ([*sorted(runs, key=lambda run: run["key"].get("seed", 1))] for runs in ordered)
        rows.append(ResultRow(name, first, [run for runs in others for run in runs]))
    return rows


def machine_of(run: RunResult) -> Machine:
    """As its key says it; of an older run, what it says beside it; nothing of what no machine trained."""
    place = run["key"].get("place")
    return tuple(place.values()) if place else tuple(run.get(name) for name in ("machine", "device", "threads"))

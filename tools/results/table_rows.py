"""Runs put together to rows of tables in Markdown: the seeds of a model on one machine, and the same on others."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

import numpy as np

from corpora.knowledge.words import tokens
from evaluation.metrics import Floats, Metric, Scores
from foundation.errors import UserError
from foundation.seeds import generator
from tools.results.run_store import RunResult

# Tables in Markdown, and their places in a document, between two lines that name them.


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column stands to the left and the others to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def format_value(value: float | None, digits: int) -> str:
    """A number; a dash where an older run did not find it."""
    return "–" if value is None else f"{value:,.{digits}f}"


def format_share(value: float | None, digits: int) -> str:
    """A share in percent."""
    return "–" if value is None else f"{100 * value:.{digits}f}%"


def sample_tables(sources: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> str:
    """A table for each source, folded away: the output of each row for it."""
    if not sources:
        return ""
    head = f"<details>\n<summary>What each makes of {len(sources)} sources, drawn by a seed</summary>\n"
    blocks = []
    for at, source in enumerate(sources):
        lines = [f"| {name} | {_plain(texts[at])} |" for name, texts in outputs.items()]
        blocks.append("\n".join([f"| the source | {_plain(source)} |", "| --- | --- |", *lines, ""]))
    return "\n".join([head, *blocks, "</details>"])


def _plain(text: str) -> str:
    for mark in ("\\", "|", "*", "_", "`", "<"):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split()) or "(nothing)"


def put_between_markers(document: Path, name: str, text: str) -> None:
    """Put the text in place of the one between `<!-- made: NAME -->` and `<!-- end: NAME -->`."""
    before = document.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->"
    if before.count(begin) != 1 or before.count(end) != 1 or before.index(begin) > before.index(end):
        raise UserError(
            "The lines that say where the table '{name}' begins and ends are not there.", name=name, where=str(document)
        )
    head, _, rest = before.partition(begin)
    tail = rest[rest.index(end) :]
    fresh = document.with_name(f".{document.name}")
    fresh.write_text(f"{head}{begin}{text}\n{tail}", encoding="utf-8")
    fresh.replace(document)


# Scores over drawn sources, the same draws for every row, so that rows can be compared, and seeds averaged.

DRAWS, LEVEL = 1000, 95.0


def resampled_scores(scores: Scores, metric: Metric, seed: int = 1) -> Floats:
    """The corpus score over each of the draws of as many sources, with repeats (percentile bootstrap)."""
    rows = scores.sufficient_statistics
    places = generator(seed, "sources", len(rows)).integers(len(rows), size=(DRAWS, len(rows)))
    return metric.corpus_of(np.stack([rows[place].sum(axis=0) for place in places]))


def percentile_interval(values: Floats) -> list[float]:
    """The middle 95% of the draws."""
    low, high = np.nanpercentile(values, [(100 - LEVEL) / 2, (100 + LEVEL) / 2])
    return [round(float(low), 4), round(float(high), 4)]


def format_resamples(values: Floats) -> str:
    """Draws as they are kept: in one line of the file."""
    return " ".join(f"{value:.3f}" for value in values)


def parse_resamples(text: str) -> Floats:
    return np.array(text.split(), dtype=np.float64)


def mean_over_seeds(runs: Sequence[Mapping[str, Any]], name: str) -> Floats | None:
    """The mean over runs in each draw; None where one of them kept no draws."""
    if not runs or any(name not in run.get("draws", {}) for run in runs):
        return None
    found: Floats = np.mean([parse_resamples(run["draws"][name]) for run in runs], axis=0)
    return found


def output_statistics(sources: Sequence[str], outputs: Sequence[str]) -> dict[str, float]:
    """Over all outputs together, case aside; `copied` is a share of texts, the others are of tokens.

    `copied`: outputs that are their source. `length`: tokens for one of the source. `new`: tokens that the source
    lacks. `repeated`: tokens that repeat the one before. `again`: tokens that end two in a row that stood in the text
    before, as they do where a model goes round in circles.
    """
    pairs = [(_split(source), _split(output)) for source, output in zip(sources, outputs, strict=True)]
    written = sum(len(output) for _, output in pairs)
    return {
        "copied": sum(source == output for source, output in pairs) / len(pairs),
        "length": written / sum(len(source) for source, _ in pairs),
        "new": sum(_new(source, output) for source, output in pairs) / max(1, written),
        "repeated": sum(_repeated(output) for _, output in pairs) / max(1, written),
        "again": sum(_again(output) for _, output in pairs) / max(1, written),
    }


def _split(text: str) -> list[str]:
    return [token.lower() for token in tokens(text)]


def _new(source: Sequence[str], output: Sequence[str]) -> int:
    known = set(source)
    return sum(token not in known for token in output)


def _again(output: Sequence[str]) -> int:
    found = list(pairwise(output))
    return len(found) - len(set(found))


def _repeated(output: Sequence[str]) -> int:
    return sum(first == second for first, second in pairwise(output))


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
        """The mean over its seeds; None where one of them lacks the number, as older runs do."""
        values = self._values(measure)
        return fmean(values) if len(values) == len(self.runs) else None

    def deviation(self, measure: str) -> float | None:
        values = self._values(measure)
        return stdev(values) if len(values) > 1 else None

    def draws(self, measure: str) -> Floats | None:
        """The row's mean over drawn sources; None where a run kept none."""
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
    """The machine as the run's key names it, or beside the key in an older run; nothing where no machine trained."""
    place = run["key"].get("place")
    return tuple(place.values()) if place else tuple(run.get(name) for name in ("machine", "device", "threads"))

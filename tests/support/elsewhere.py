"""Human means and correlations worked out straight from a Mechanical Turk file: the standard library and scipy."""

import csv
import statistics
from collections import defaultdict
from pathlib import Path

from scipy import stats

COEFFICIENTS = {
    "pearson": stats.pearsonr,
    "spearman": stats.spearmanr,
    "kendall": lambda x, y: stats.kendalltau(x, y, variant="b"),
}
Outputs = dict[tuple[str, str], str]  # (target style, source) -> output


def judged(file: Path) -> dict[str, dict[tuple[str, str, str], list[int]]]:
    """criterion -> (target style, source, text) -> values; of one worker's several of one text the last counts."""
    last: dict[tuple[str, ...], int] = {}
    with file.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            lists = [row[name].split("\t") for name in ("Input.origs", "Input.mods", "Answer.responses")]
            for source, output, response in zip(*lists, strict=True):
                for part in response.split():
                    criterion, value = part.split("=")
                    key = (row["WorkerId"], criterion, row["Input.target"], plain(source), plain(output))
                    last[key] = int(value)
    found: dict[str, dict[tuple[str, str, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for (_, criterion, target, source, output), value in last.items():
        found[criterion][target, source, output].append(value)
    return found


def plain(text: str) -> str:
    return text.strip().casefold()


def mean_of(values: dict[tuple[str, str, str], list[int]], outputs: Outputs) -> tuple[float, int]:
    """The mean over all judgements of a system's outputs, and their number."""
    given = [value for (target, source), text in outputs.items()
             for value in values.get((target, plain(source), plain(text)), [])]  # fmt: skip
    return statistics.fmean(given), len(given)


def pairs(
    values: dict[tuple[str, str, str], list[int]], systems: dict[str, Outputs], scores: dict[str, Outputs]
) -> tuple[list[float], list[float]]:
    """A metric's score and the mean judgement of every output that has both."""
    x, y = [], []
    for name, outputs in systems.items():
        for (target, source), text in outputs.items():
            given = values.get((target, plain(source), plain(text)))
            if given and (target, source) in scores[name]:
                x.append(float(scores[name][target, source]))
                y.append(statistics.fmean(given))
    return x, y


def by_source(values: dict[tuple[str, str, str], list[int]], outputs: Outputs) -> Outputs:
    """The mean judgement of a system's output for each source where there is one."""
    found = {}
    for (target, source), text in outputs.items():
        if given := values.get((target, plain(source), plain(text))):
            found[target, plain(source)] = statistics.fmean(given)
    return found

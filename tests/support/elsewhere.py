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


def judged(file: Path, systems: dict[str, Outputs]) -> dict[str, dict[tuple[str, str, str], list[int]]]:
    """criterion -> (target style, source, text) -> values; of one worker's several of one text the last counts.

    A text that no system wrote, but one with other capitals, is that system's.
    """
    last: dict[tuple[str, ...], int] = {}
    written: dict[tuple[str, str], set[str]] = defaultdict(set)
    for outputs in systems.values():
        for (target, source), text in outputs.items():
            written[target, plain(source)].add(spaced(text))
    with file.open(newline="", encoding="utf-8") as stream:
        for row in csv.DictReader(stream):
            lists = [row[name].split("\t") for name in ("Input.origs", "Input.mods", "Answer.responses")]
            for source, output, response in zip(*lists, strict=True):
                for part in response.split():
                    criterion, value = part.split("=")
                    place = row["Input.target"], plain(source)
                    alike = {text for text in written[place] if plain(text) == plain(output)}
                    text = alike.pop() if len(alike) == 1 and spaced(output) not in alike else spaced(output)
                    last[row["WorkerId"], criterion, *place, text] = int(value)
    found: dict[str, dict[tuple[str, str, str], list[int]]] = defaultdict(lambda: defaultdict(list))
    for (_, criterion, target, source, output), value in last.items():
        found[criterion][target, source, output].append(value)
    return found


def spaced(text: str) -> str:
    return " ".join(text.split())


def plain(text: str) -> str:
    return spaced(text).casefold()


def mean_of(values: dict[tuple[str, str, str], list[int]], outputs: Outputs) -> tuple[float, int]:
    """The mean over a system's outputs of the mean of their judgements, and the number of judgements."""
    found = [values.get((target, plain(source), spaced(text)), []) for (target, source), text in outputs.items()]
    return statistics.fmean(statistics.fmean(given) for given in found if given), sum(map(len, found))


def pairs(
    values: dict[tuple[str, str, str], list[int]], systems: dict[str, Outputs], scores: dict[str, Outputs]
) -> tuple[list[float], list[float]]:
    """A metric's score and the mean judgement of every output that has both."""
    x, y = [], []
    for name, outputs in systems.items():
        for (target, source), text in outputs.items():
            given = values.get((target, plain(source), spaced(text)))
            if given and (target, source) in scores[name]:
                x.append(float(scores[name][target, source]))
                y.append(statistics.fmean(given))
    return x, y


def by_source(values: dict[tuple[str, str, str], list[int]], outputs: Outputs) -> Outputs:
    """The mean judgement of a system's output for each source where there is one."""
    found = {}
    for (target, source), text in outputs.items():
        if given := values.get((target, plain(source), spaced(text))):
            found[target, plain(source)] = statistics.fmean(given)
    return found

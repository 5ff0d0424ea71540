"""Rows of a table that are models: several seeds of one are one row, with mean and deviation, as in PLABA's tables."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from evaluation.comparability.better_ends import DIRECTIONS_DIFFER, has_metric, measured, metric_named, outputs_differ
from evaluation.comparability.system_ranking import SystemRanking, by_metric, round_for_ranking
from evaluation.corpus_statistics import signed_parts
from evaluation.metric_contract import Floats
from evaluation.metrics import METRICS
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.columns import OURS, PaperScale, asks_of
from evaluation.table_parts.contents import Cell, joined, no_metric, number, traced

# Whether the metrics of a paper's table are set as in its authors' program, said in the table's notes.
#
# A table names the parts of a signature that the program has: `PROGRAM = {"sari": {"like": "hf"}}`.

Parts = Mapping[str, str]


def program_notes(snapshot: StudySnapshot, program: Mapping[str, Parts]) -> list[str]:
    """A sentence for the metrics that are set as in the program, and one for each set of them that is not.

    Args:
        snapshot: The study; a metric without scores is in no sentence.
        program: By metric the parts of its signature, each with the program's value.
    """
    as_there: list[str] = []
    otherwise: dict[tuple[str, str], list[str]] = {}
    for name, parts in program.items():
        said = signed_parts(snapshot, name)
        if not said:
            continue
        differing = [key for key in parts if said.get(key) != parts[key]]
        if not differing:
            as_there.append(METRICS[name].label)
            continue
        here, there = (_signed(of, differing) for of in (said, parts))
        otherwise.setdefault((here, there), []).append(METRICS[name].label)
    return [
        *([f"Set as in the authors' program: {', '.join(as_there)}."] if as_there else []),
        *(
            f"{', '.join(labels)}: {here} where the authors' program has {there}."
            for (here, there), labels in otherwise.items()
        ),
    ]


def _signed(parts: Parts, keys: list[str]) -> str:
    """'stem:no, refs:best-f1'; parts that a signature lacks have their defaults."""
    return joined(*(f"{key}:{parts.get(key, 'default')}" for key in keys))


BY_DIRECTION = "{names}: each direction has its own better end here; the leaderboard has them by direction."
Options = tuple[tuple[str, Any], ...]


@dataclass(frozen=True)
class Family:
    """A model of certain `options`: the places of its systems, one a seed."""

    name: str
    model: str
    options: Mapping[str, Any]
    places: Sequence[int]


def families_of(snapshot: StudySnapshot) -> list[Family]:
    """The study's models in their order; one that stands alone has its own name."""
    by_family: dict[tuple[str, Options], list[int]] = {}
    for place in places_of(snapshot, "system"):
        row = snapshot.systems[place]
        by_family.setdefault((row.family, tuple(sorted(row.options.items()))), []).append(place)
    times = [family for family, _ in by_family]
    return [
        Family(_name(snapshot, family, options, places, times.count(family)), family, dict(options), places)
        for (family, options), places in by_family.items()
    ]


def _name(snapshot: StudySnapshot, family: str, options: Options, places: Sequence[int], times: int) -> str:
    if len(places) == 1:
        return snapshot.systems[places[0]].name
    return f"{family} ({options_text(dict(options))})" if times > 1 else family


def options_text(options: Mapping[str, Any]) -> str:
    """'encoder 32, style 64'."""
    return ", ".join(f"{key} {value}" for key, value in options.items())


def family_at(families: Sequence[Family], place: int | None) -> Family | None:
    """The model of which the system at this place is a seed."""
    return next((family for family in families if place in family.places), None)


def digits_of(metric: str) -> int:
    """How many digits a metric is shown with: 4 where it ends at 1 or 10, as MedLane and PLABA print it."""
    return 4 if re.search(r"(to|most) 10?$", metric_named(metric).unit) else 2


def corpus_scores(snapshot: StudySnapshot, metric: str, family: Family) -> list[float]:
    """The corpus scores of its seeds, of those that have one."""
    scored = [snapshot.scores[metric][place] for place in family.places]
    return [outputs.corpus for outputs in scored if outputs is not None and outputs.corpus is not None]


def sentence_scores(snapshot: StudySnapshot, metric: str, family: Family) -> Floats:
    """The mean over its seeds of each unit's score (n,); NaN where one of them has none."""
    scored = [snapshot.scores[metric][place] for place in family.places]
    known = [outputs.sentences for outputs in scored if outputs is not None]
    return np.mean(known, axis=0) if known else np.full(len(snapshot.units.ids), np.nan)


def score_cell(snapshot: StudySnapshot, metric: str, family: Family, stars: str = "", scale: PaperScale = OURS) -> Cell:
    """A model's corpus score; of several seeds the mean, and the deviation (n - 1) beneath it."""
    values = [value * scale.factor for value in corpus_scores(snapshot, metric, family)]
    digits = digits_of(metric) + scale.digits
    if not values:
        return number(None, why=why_none(snapshot, metric, family.places[0]))
    if len(family.places) == 1:
        rows = traced(system=snapshot.systems[family.places[0]].name, **asks_of(measured(snapshot, metric)))
        return number(values[0], digits, stars=stars, rows=rows)
    return seeds_cell(values, len(family.places), digits, stars)


def seeds_cell(values: Sequence[float], seeds: int, digits: int, stars: str = "") -> Cell:
    """The mean of seeds' numbers, one at least; of several seeds with the deviation beneath it."""
    if seeds == 1:
        return number(values[0], digits, stars=stars)
    deviation = float(np.std(values, ddof=1)) if len(values) > 1 else None
    small = joined("" if deviation is None else f"± {deviation:.{digits}f}", f"{len(values)} seeds")
    parts = {"deviation": deviation, "seeds": float(len(values))}
    return number(float(np.mean(values)), digits, small=small, parts=parts, stars=stars)


def why_none(snapshot: StudySnapshot, metric: str, place: int) -> str:
    """Why a system has no score."""
    scored = snapshot.scores[metric][place]
    if scored is not None:
        return scored.undefined
    rows = snapshot.report.get("systems", [])
    system = next((row for row in rows if row["name"] == snapshot.systems[place].name), None)
    return (
        str(system["metrics"][metric]["undefined"]) if system and metric in system["metrics"] else "It was not scored."
    )


def score_column(
    snapshot: StudySnapshot,
    metric: str,
    families: Sequence[Family],
    stars: Sequence[str] = (),
    scale: PaperScale = OURS,
) -> list[Cell]:
    """`score_cell` of each model; all dashes where the metric is not chosen."""
    if metric not in snapshot.scores:
        return [number(None, why=no_metric(metric)) for _ in families]
    marked = stars or [""] * len(families)
    return [score_cell(snapshot, metric, family, star, scale) for family, star in zip(families, marked, strict=True)]


def best_models(
    cells: Sequence[Cell], families: Sequence[Family], ranking: SystemRanking, better: bool | None
) -> list[Cell]:
    """The cells of models with the best marked: the mean of its seeds over the units that all ranked systems have."""
    values = [ranked_mean(family, ranking) for family in families]
    known = [value for value in values if value is not None]
    best = None if better is None or len(known) < 2 else max(known) if better else min(known)
    return [
        replace(cell, best=value is not None and value == best, small=joined(cell.small, _word(family, ranking)))
        for cell, value, family in zip(cells, values, families, strict=True)
    ]


def ranked_mean(family: Family, ranking: SystemRanking) -> float | None:
    """The mean of its seeds, of those that are ranked, over the units that all ranked systems have."""
    values = [ranking.values[place] for place in family.places if place in ranking.values]
    return round_for_ranking(float(np.mean(values))) if values else None


def _word(family: Family, ranking: SystemRanking) -> str:
    outside = [ranking.outside[place] for place in family.places if place in ranking.outside]
    return "" if ranked_mean(family, ranking) is not None or not outside else outside[0]


def marked_scores(
    snapshot: StudySnapshot,
    metric: str,
    families: Sequence[Family],
    stars: Sequence[str] = (),
    scale: PaperScale = OURS,
) -> tuple[list[Cell], SystemRanking | None]:
    """The column of a metric with the best model marked, and how systems are ranked in it."""
    cells = score_column(snapshot, metric, families, stars, scale)
    if metric not in snapshot.scores:
        return cells, None
    ranking = by_metric(snapshot, metric)
    return best_models(cells, families, ranking, measured(snapshot, metric).better), ranking


def not_chosen(snapshot: StudySnapshot, *names: str) -> list[str]:
    """One sentence on what to do if some of these metrics, all of which are needed, are not chosen."""
    labels = [METRICS[name].label for name in names if not has_metric(snapshot, name)]
    apart = [METRICS[name].label for name in names if has_metric(snapshot, name) and name not in snapshot.scores]
    if apart:
        return [DIRECTIONS_DIFFER if outputs_differ(snapshot) else BY_DIRECTION.format(names=", ".join(apart))]
    several = [", ".join(labels[:-1])] if labels[1:] else []
    return [f"Choose {' and '.join([*several, labels[-1]])} on the page Choose metrics."] if labels else []

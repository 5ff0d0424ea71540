"""Which metric to trust: metrics by how far they agree with people, which of them do not differ, what fools each."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from evaluation.comparing.measures import fit_together, measured
from evaluation.comparing.ranking import by_metric, settled
from evaluation.foils import FOILS
from evaluation.reporting.correlations import human_at, metric_at, points_of
from evaluation.statistics import how_many
from evaluation.statistics._perm_pairs import Level, Pairs
from evaluation.tables import Judged, Record
from evaluation.tables._stars import corrected

Json = dict[str, Any]
Floats = NDArray[np.float64]
COEFFICIENT = "pearson"
TEST = "perm_both"
LEVELS: Mapping[str, Level] = {"sentence": "none", "system": "system"}


def trust(record: Record, correlations: Sequence[Json]) -> Json:
    """For each criterion the metrics, the most trustworthy first, by sentence and by system; and the foils."""
    points = points_of(record)
    tables = {name: _table(record, metric_at(record, name, points), points) for name in record.scores}
    found = {
        name: _of_criterion(record, one, _table(record, human_at(record, one, points), points), tables, correlations)
        for name, one in record.judgements[record.variant].items()
    }
    return {"coefficient": COEFFICIENT, "test": TEST, "criteria": found, "foils": foils(record)}


def _table(record: Record, values: Floats, points: tuple[NDArray[np.intp], NDArray[np.intp]]) -> Floats:
    """Values of judged outputs as (systems, units), NaN elsewhere; only units of which something was judged."""
    units, columns = np.unique(points[1], return_inverse=True)
    found = np.full((len(record.systems), len(units)), np.nan)
    found[points[0], columns] = values
    return found


def _of_criterion(
    record: Record, judged: Judged, human: Floats, tables: Mapping[str, Floats], correlations: Sequence[Json]
) -> Json:
    sign = -1 if judged.better is False else 1
    fitting = {name: table for name, table in tables.items() if fit_together(record, name, judged)}
    turned = {name: -table if measured(record, name).better is False else table for name, table in fitting.items()}
    pairs = Pairs(turned, sign * human, record.draws, record.seed)
    known = {
        (one["level"], one["metric"]): one
        for one in correlations
        if (one["criterion"], one["coefficient"]) == (judged.name, COEFFICIENT)
    }
    return {**_basis(record, judged), **{level: _ranked(record, level, sign, known, pairs) for level in LEVELS}}


def _basis(record: Record, judged: Judged) -> Json:
    """What the agreement rests on: the systems' outputs, since no metric is held against what was judged beside them.

    An output that two systems gave is judged once, and counts once.
    """
    here = np.array([one.role == "system" for one in record.systems], dtype=bool)[judged.system]
    text, rater = judged.text[here], judged.rater[here]
    return {
        "judgements": how_many(text * (rater.max(initial=0) + 1) + rater),
        "outputs": how_many(text),
        "raters": how_many(rater),
    }


def _ranked(record: Record, level: str, sign: int, known: Mapping[tuple[str, str], Json], pairs: Pairs) -> list[Json]:
    """Metrics by agreement: the coefficient, turned round where low is good of the metric or of the criterion.

    A metric of which neither end is good is taken as it is. `group` 1 are those that do not differ from the best;
    `p` is against the best of the metric's group, corrected over the comparisons with it.
    """
    rows = [
        _row(known[level, name], sign, name, measured(record, name).better)
        for name in pairs.metrics
        if (level, name) in known
    ]
    rows.sort(key=lambda row: -np.inf if row["value"] is None else row["value"], reverse=True)
    there = [row for row in rows if row["value"] is not None]
    number = 0
    while there:
        leader, others = there[0], there[1:]
        number += 1
        tests = [pairs.compare(leader["metric"], row["metric"], LEVELS[level]).p for row in others]
        after = corrected(record, tests)
        apart = [place for place, p in enumerate(after) if p is not None and p < record.alpha]
        end = apart[0] if apart else len(others)
        leader["group"] = number
        for row, p in zip(others[:end], after, strict=False):
            row["group"], row["p"] = number, p
        there = others[end:]
    return rows


def _row(found: Json, sign: int, metric: str, better: bool | None) -> Json:
    turn = -sign if better is False else sign
    ends = [None if found[key] is None else turn * found[key] for key in ("low", "high")]
    low, high = ends if turn > 0 else ends[::-1]
    return {
        "metric": metric,
        "better": better,
        "value": None if found["value"] is None else turn * found["value"],
        "low": low,
        "high": high,
        "n": found["n"],
        "undefined": found["undefined"],
        "group": None,
        "p": None,
    }


def foils(record: Record) -> list[Json]:
    """Each foil with each metric's score of it, and where it would stand among the systems: 1 is the best of all."""
    return [
        {
            "name": name,
            "label": FOILS[name].label,
            "about": FOILS[name].about,
            "metrics": {
                metric: {"score": one.corpus, "undefined": one.undefined, **_standing(record, metric, one.corpus)}
                for metric, one in record.foils[name].items()
            },
        }
        for name in FOILS
        if name in record.foils
    ]


def _standing(record: Record, metric: str, score: float | None) -> Json:
    """Its place among the systems that are ranked, `of` how many, itself counted; None where neither end is good."""
    better = measured(record, metric).better
    others = [value for place, value in by_metric(record, metric).values.items() if not record.systems[place].is_human]
    if better is None or score is None or not others:
        return {"place": None, "of": None}
    own = settled(score)
    above = sum(other > own if better else other < own for other in others)
    return {"place": above + 1, "of": len(others) + 1}

"""Human means three ways, side by side: as given, standardized by worker, and without workers who are left out."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evaluation.comparability.system_ranking import SystemRanking, by_criterion
from evaluation.snapshot import CriterionJudgements, StudySnapshot, Variant
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.columns import asks_of, name_cell, ranking_notes
from evaluation.table_parts.contents import (
    Cell,
    MissingContent,
    Table,
    interval_text,
    joined,
    missing_content,
    number,
    traced,
)
from evaluation.tables._base import TableOrFigure
from evaluation.tables.trust import NOBODY

TITLE = "Judgements raw, standardized and filtered"
VARIANTS: Mapping[Variant, str] = {"raw": "raw", "z": "z-scores", "filtered": "filtered"}
UNJUDGED = "People have not judged it."
NONE_OUT = "Nobody is left out, so that filtered means are the raw ones."
Z = "z: a value less its worker's mean on the criterion, over the worker's deviation; ranks stay as they are."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a system, three columns a criterion."""
    criteria = snapshot.judgements["raw"]
    places = places_of(snapshot, "system", "source", "reference")
    if not criteria or not places:
        return missing_content(TITLE, NOBODY)
    rows = {row["name"]: row["variants"] for row in snapshot.report["systems"]}
    systems = [rows[snapshot.systems[place].name] for place in places]
    columns, head, better, rankings = [], [], [], []
    for criterion in criteria.values():
        for variant, word in VARIANTS.items():
            cells = [_cell(snapshot, place, criterion, variant, of) for place, of in zip(places, systems, strict=True)]
            ranking = by_criterion(snapshot, snapshot.judgements[variant].get(criterion.name, criterion))
            columns.append(_marked(cells, places, ranking))
            rankings.append(ranking)
            head.append(f"{criterion.label}, {word}")
            better.append(criterion.better)
    names = [name_cell(snapshot.systems[place]) for place in places]
    table = [list(row) for row in zip(names, *columns, strict=True)]
    over = ranking_notes(list(zip(head, rankings, strict=True)))
    notes = [Z, _left_out(snapshot), *_orders(rankings, head), *over]
    return Table(TITLE, ["System", *head], table, notes, [None, *better])


def _marked(cells: Sequence[Cell], places: Sequence[int], ranking: SystemRanking) -> list[Cell]:
    """The best of those that are ranked."""
    several = len(ranking.values) > 1
    return [
        replace(cell, best=several and ranking.places.get(place) == 1, small=joined(cell.small, _word(ranking, place)))
        for cell, place in zip(cells, places, strict=True)
    ]


def _word(ranking: SystemRanking, place: int) -> str:
    return ranking.outside.get(place, "")


def _cell(
    snapshot: StudySnapshot, place: int, judged: CriterionJudgements, variant: str, of: Mapping[str, Any]
) -> Cell:
    mean = of.get(variant, {}).get(judged.name)
    if mean is None:
        return number(None, why=UNJUDGED)
    small = joined(interval_text(mean["low"], mean["high"], 2), f"n = {mean['n']}" if mean["n"] else "")
    parts = {key: mean[key] for key in ("low", "high", "n")}
    rows = traced(system=snapshot.systems[place].name, variant=variant, **asks_of(judged))
    return number(mean["mean"], 2, mean["undefined"], small=small, parts=parts, rows=rows)


def _left_out(snapshot: StudySnapshot) -> str:
    out = sum(bool(why) for why in snapshot.raters.left_out)
    return f"Filtered: without {out} of {len(snapshot.raters.names)} workers." if out else NONE_OUT


def _orders(rankings: Sequence[SystemRanking], head: Sequence[str]) -> list[str]:
    """Which columns order the systems otherwise than the raw means of their criterion do."""
    orders = [sorted(ranking.values, key=lambda place: ranking.values[place]) for ranking in rankings]
    other = [name for number, name in enumerate(head) if orders[number] != orders[number - number % len(VARIANTS)]]
    return [f"The order of the systems differs from the raw one in: {'; '.join(other)}."] if other else []


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=5)

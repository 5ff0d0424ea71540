"""Human means three ways, side by side: as given, standardized by worker, and without workers who are left out."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.tables._base import (
    Cell,
    Exhibit,
    Lacking,
    Table,
    interval_text,
    joined,
    mark_best,
    number,
    traced,
)
from evaluation.tables._columns import asks_of
from evaluation.tables._parts import lacking, places_of
from evaluation.tables._record import Judged, Record
from evaluation.tables.trust_by_criterion import NOBODY

TITLE = "Judgements raw, standardized and filtered"
VARIANTS: Mapping[str, str] = {"raw": "raw", "z": "z-scores", "filtered": "filtered"}
UNJUDGED = "People have not judged it."
NONE_OUT = "Nobody is left out, so that filtered means are the raw ones."
Z = "z: a value less its worker's mean on the criterion, over the worker's deviation; ranks stay as they are."


def make(record: Record) -> Table | Lacking:
    """A row a system, three columns a criterion."""
    criteria = record.judgements["raw"]
    places = places_of(record, "system", "source", "reference")
    if not criteria or not places:
        return lacking(TITLE, NOBODY)
    rows = {row["name"]: row["variants"] for row in record.report["systems"]}
    found = [rows[record.systems[place].name] for place in places]
    competing = len(places_of(record, "system"))
    columns, head, better = [], [], []
    for one in criteria.values():
        for variant, word in VARIANTS.items():
            cells = [_cell(record, place, one, variant, of) for place, of in zip(places, found, strict=True)]
            columns.append([*mark_best(cells[:competing], one.better), *cells[competing:]])
            head.append(f"{one.label}, {word}")
            better.append(one.better)
    names = [Cell(record.systems[place].name) for place in places]
    table = [list(row) for row in zip(names, *columns, strict=True)]
    notes = [Z, _left_out(record), *_orders(columns, head, competing)]
    return Table(TITLE, ["System", *head], table, notes, [None, *better])


def _cell(record: Record, place: int, judged: Judged, variant: str, of: Mapping[str, Any]) -> Cell:
    mean = of.get(variant, {}).get(judged.name)
    if mean is None:
        return number(None, why=UNJUDGED)
    small = joined(interval_text(mean["low"], mean["high"], 2), f"n = {mean['n']}" if mean["n"] else "")
    parts = {key: mean[key] for key in ("low", "high", "n")}
    rows = traced(system=record.systems[place].name, variant=variant, **asks_of(judged))
    return number(mean["mean"], 2, mean["undefined"], small=small, parts=parts, rows=rows)


def _left_out(record: Record) -> str:
    out = sum(bool(why) for why in record.workers.left_out)
    return f"Filtered: without {out} of {len(record.workers.names)} workers." if out else NONE_OUT


def _orders(columns: Sequence[Sequence[Cell]], head: Sequence[str], competing: int) -> list[str]:
    """Which columns order the systems otherwise than the raw means of their criterion do."""
    orders = [_order(column[:competing]) for column in columns]
    other = [name for at, name in enumerate(head) if orders[at] != orders[at - at % len(VARIANTS)]]
    return [f"The order of the systems differs from the raw one in: {'; '.join(other)}."] if other else []


def _order(column: Sequence[Cell]) -> list[int]:
    """Places by value, those without one first."""
    values = [float("-inf") if cell.value is None else cell.value for cell in column]
    return sorted(range(len(values)), key=lambda place: values[place])


TABLE = Exhibit(title=TITLE, make=make, kind="study", order=5)

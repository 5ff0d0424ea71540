"""Transfer strength against content preservation, a point a system (Fu et al. 2018, Figure 2)."""

import numpy as np

from evaluation.charts import vega_lite
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_dimensions import program_notes
from evaluation.table_parts.model_rows import not_chosen, options_text, why_none
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import NO_SYSTEM
from foundation.papers import FU

TITLE = "Transfer strength and content preservation"
STRENGTH, CONTENT, BOUND = "transfer_strength", "content_preservation", "lower_bound"
COPY = "copied_source"
NONE = "No system has both a transfer strength and a content preservation. {why}"
NOTE = "The rule is the lower bound of content preservation: its mean over random pairs of texts that differ."
Row = dict[str, str | float | None]


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A colour and a line a family; the lower bound as a rule, where it is known."""
    if reasons := not_chosen(snapshot, STRENGTH, CONTENT):
        return missing_content(TITLE, *reasons)
    bound = lower_bound(snapshot)
    rows = [row for place in places_of(snapshot, "system") if (row := _row(snapshot, place, bound))]
    if not rows:
        return missing_content(TITLE, _none(snapshot))
    families = list(dict.fromkeys(str(row["family"]) for row in rows))
    x = vega_lite.amount(STRENGTH, "Transfer strength", zero=False)
    y = vega_lite.amount(CONTENT, "Content preservation", zero=False)
    tip = ("system", "family", "options", "seed", STRENGTH, CONTENT)
    by = vega_lite.colour("family", families, "Family")
    spec = vega_lite.points(x, y, by, tip=tip)
    if len(families) < len(rows):
        spec["layer"].insert(0, {"mark": {"type": "line", "strokeWidth": 1}, "encoding": {"x": x, "y": y, "color": by}})
    if bound is not None:
        spec["layer"].append(_rule())
    return Figure(
        TITLE,
        spec,
        rows,
        _describes(rows, families, bound),
        [*([NOTE] if bound is not None else []), *program_notes(snapshot)],
    )


def _none(snapshot: StudySnapshot) -> str:
    """With the first reason that a metric gave."""
    places = places_of(snapshot, "system")
    whys = [why_none(snapshot, name, place) for place in places for name in (STRENGTH, CONTENT)]
    return NONE.format(why=next(filter(None, whys), NO_SYSTEM))


def lower_bound(snapshot: StudySnapshot) -> float | None:
    """Over random pairs of the study's sources, which the copied source gives; else the systems' mean."""
    foil = snapshot.baselines.get(COPY, {}).get(CONTENT)
    if foil is not None and BOUND in foil.details:
        return foil.details[BOUND]
    known = [
        scored.details[BOUND] for scored in snapshot.scores[CONTENT] if scored is not None and BOUND in scored.details
    ]
    return float(np.mean(known)) if known else None


def _row(snapshot: StudySnapshot, place: int, bound: float | None) -> Row | None:
    strength, content = snapshot.scores[STRENGTH][place], snapshot.scores[CONTENT][place]
    if strength is None or content is None or strength.corpus is None or content.corpus is None:
        return None
    of = snapshot.systems[place]
    named: Row = {"system": of.name, "family": of.family, "options": options_text(of.options), "seed": of.seed}
    return {**named, STRENGTH: strength.corpus, CONTENT: content.corpus, BOUND: bound}


def _rule() -> vega_lite.Spec:
    bound = {"field": BOUND, "type": "quantitative", "aggregate": "mean"}
    return {
        "mark": {"type": "rule", "color": "#6B6B6B", "strokeDash": [6, 4], "strokeWidth": 1.5},
        "encoding": {"y": bound, "tooltip": [{**bound, "title": "Lower bound"}]},
    }


def _describes(rows: list[Row], families: list[str], bound: float | None) -> str:
    points = "; ".join(f"{row['system']}: {row[STRENGTH]:.3f} and {row[CONTENT]:.3f}" for row in rows)
    rule = "" if bound is None else f" The lower bound of content preservation is {bound:.3f}."
    return f"A point a system, a colour a family ({', '.join(families)}), strength first: {points}.{rule}"


TABLE = TableOrFigure(title=TITLE, make=make, paper=FU, number="Figure 2", order=520)

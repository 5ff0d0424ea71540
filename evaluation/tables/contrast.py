"""The contrast set: how often each metric prefers a good text to the same text harmed in one of four ways."""

from collections.abc import Mapping
from typing import Any

from evaluation.comparability.better_ends import label_of_metric
from evaluation.contrast_set import PAPER
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Cell, MissingContent, Table, interval_text, missing_content, number
from evaluation.tables._base import TableOrFigure

TITLE = "Harms that each metric sees"
NONE = "No metric has scored the contrast set yet: choose metrics, and make the report again."
NOTE = (
    "The share of sources whose good text scores better than the same text harmed, with Wilson's 95% interval, and "
    "the sources. A tie is not better: a metric that does not see the harm has a share near 0, and one that guesses "
    "one half. The good text of a source is its first reference, held against the others, or, where it has none or "
    "one, an output of a drawn system. At most 100 sources are drawn."
)


def table(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a metric, a column a family of harm."""
    contrast = snapshot.report["trust"].get("contrast") or {"families": [], "metrics": {}}
    if not contrast["metrics"]:
        return missing_content(TITLE, NONE)
    families = contrast["families"]
    rows = [
        [Cell(label_of_metric(name)), *(_cell(of[one["name"]]) for one in families)]
        for name, of in contrast["metrics"].items()
    ]
    about = [f"{one['label']}: {one['about']}" for one in families]
    return Table(TITLE, ["Metric", *(one["label"] for one in families)], rows, [NOTE, *about])


def _cell(found: Mapping[str, Any]) -> Cell:
    small = f"{interval_text(found['low'], found['high'], 2)}, n = {found['n']}" if found["n"] else ""
    parts = {name: found[name] for name in ("low", "high", "tied", "n")}
    return number(found["share"], 2, found["undefined"], small=small, parts=parts)


ENTRIES = {"contrast": TableOrFigure(title=TITLE, make=table, kind="trust", paper=PAPER, order=5)}

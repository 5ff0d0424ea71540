"""What the columns of a table are about, by the rows behind their numbers: judgements, or metrics of an aspect."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from evaluation.comparability.better_ends import metric_named
from evaluation.metrics import METRICS
from evaluation.table_parts.cells import Cell

JUDGEMENTS = gettext_noop("Judgements")
METRIC_GROUPS = {
    "style": gettext_noop("Metrics of style"),
    "fluency": gettext_noop("Metrics of fluency"),
    "meaning": gettext_noop("Metrics of meaning"),
    "content": gettext_noop("Metrics of content"),
    "simplicity": gettext_noop("Metrics of simplicity"),
    "overall": gettext_noop("Metrics of the whole"),
}


def group_of(column: Iterable[Cell]) -> str:
    """The group of a column by its first cell with rows behind it; "" where nothing says what it is about."""
    behind = next((cell.rows for cell in column if cell.rows), {})
    if "criterion" in behind:
        return _(JUDGEMENTS)
    name = behind.get("metric", "")
    if name.partition(" (")[0] not in METRICS:
        return ""
    return _(METRIC_GROUPS[metric_named(name).aspect])


def ordered(groups: Sequence[str]) -> list[int]:
    """The places of columns with those of a group together; groups in the order of their first columns. A column
    without a group stays behind the one before it."""
    homes: list[str] = []
    for group in groups:
        homes.append(group or (homes[-1] if homes else ""))
    first = {home: place for place, home in reversed(list(enumerate(homes)))}
    return sorted(range(len(groups)), key=lambda place: first[homes[place]])

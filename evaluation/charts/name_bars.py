"""Bars of how many sentences of each style have a name: a topic, a section."""

from collections.abc import Mapping, Sequence

from evaluation.charts import vega_lite
from evaluation.table_parts.contents import Figure

MOST = 20


def bars_by_name(
    title: str, across: str, counts: Mapping[tuple[str, str], int], styles: Sequence[str], notes: Sequence[str] = ()
) -> Figure:
    """Counts by (style, name), the names with most sentences first."""
    totals: dict[str, int] = {}
    for (_, name), n in counts.items():
        totals[name] = totals.get(name, 0) + n
    names = sorted(totals, key=lambda name: (-totals[name], name))
    shown = names[:MOST]
    used = [style for style in styles if any(of == style for of, _ in counts)]
    rows: list[dict[str, str | float | None]] = [
        {"name": name, "style": style, "sentences": counts.get((style, name), 0)} for name in shown for style in used
    ]
    x = vega_lite.groups("name", across, order=shown, angle=-45)
    by = vega_lite.colour("style", used, "Style")
    spec = vega_lite.bars(x, vega_lite.amount("sentences", "Sentences"), by, tip=("name", "style", "sentences"))
    left = f"{len(names) - MOST} more with fewer sentences are left out." if len(names) > MOST else ""
    words = "; ".join(f"{name}: {', '.join(f'{counts.get((of, name), 0):,} {of}' for of in used)}" for name in shown)
    return Figure(
        title, spec, rows, f"Sentences by {across.lower()} and style. {words}.", [*notes, *filter(None, [left])]
    )

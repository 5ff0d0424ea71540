"""Dot plots: names from above, a point with its interval for each, in panels."""

from collections.abc import Mapping, Sequence

from evaluation.charts import vega_lite

WIDTH, STEP = 280, 20
LIMIT, LONG = 400, 34  # what a name may take, in pixels, and from how many letters on panels stand in one column
Row = Mapping[str, str | float | None]


def dots(
    name: str, x: vega_lite.Spec, by: vega_lite.Spec, rows: Sequence[Row], *, panel: str, low: str = "", high: str = "",
    tip: Sequence[str] = (), own_x: bool = False, wide: tuple[str, str] = ("", ""),
) -> vega_lite.Spec:  # fmt: skip
    """A panel for each value of `panel`, as the rows have them; names are those of `name`, by `order` from above.

    `by` is a `colour`; lines go from `low` to `high`, thin ones between the ends of `wide`. With `own_x` each panel has
    a scale of its own.
    """
    order = panels_of(rows, panel)
    columns = 1 if max((len(str(row[name])) for row in rows), default=0) > LONG else min(2, len(order))
    axis = {"labelLimit": LIMIT}
    y = {"field": name, "type": "nominal", "title": None, "sort": {"field": "order", "op": "min"}, "axis": axis}
    shared = {"y": y, "color": by, "tooltip": vega_lite.tips(*tip)}
    shaped = {"shape": vega_lite.shape(by["field"], by["scale"]["domain"], by["title"])}
    layers: list[vega_lite.Spec] = [
        {"mark": {"type": "point", "filled": True, "size": 70, "opacity": 1}, "encoding": {**shared, **shaped, "x": x}}
    ]
    if low:
        ends = {"x": {**x, "field": low}, "x2": {"field": high}}
        has_interval = [{"filter": f"isValid(datum['{low}']) && isValid(datum['{high}'])"}]
        mark = {"type": "rule", "strokeWidth": 3} if any(wide) else {"type": "rule"}
        layers.insert(0, {"transform": has_interval, "mark": mark, "encoding": {**shared, **ends}})
    if any(wide):
        ends = {"x": {**x, "field": wide[0]}, "x2": {"field": wide[1]}}
        has_interval = [{"filter": f"isValid(datum['{wide[0]}']) && isValid(datum['{wide[1]}'])"}]
        thin = {"type": "rule", "strokeWidth": 1}
        layers.insert(0, {"transform": has_interval, "mark": thin, "encoding": {**shared, **ends}})
    return {
        "$schema": vega_lite.SCHEMA,
        "facet": {"field": panel, "type": "nominal", "title": None, "sort": order},
        "columns": columns,
        "spec": {"width": WIDTH, "height": {"step": STEP}, "layer": layers},
        "resolve": {
            "scale": {"y": "independent", **({"x": "independent"} if own_x else {})},
            "axis": {"x": "independent"},
        },
    }


def panels_of(rows: Sequence[Row], panel: str) -> list[str]:
    """The panels, in the order in which rows have them."""
    return list(dict.fromkeys(str(row[panel]) for row in rows))

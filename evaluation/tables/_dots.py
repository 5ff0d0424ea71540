"""Dot plots: names from above, a point with its interval for each, in panels."""

from collections.abc import Sequence

from evaluation.tables import _figures as draw

WIDTH, STEP = 280, 20
ROW = {"labelLimit": 200}


def dots(
    name: str, x: draw.Spec, by: draw.Spec, *, panel: str, order: Sequence[str], columns: int = 2, low: str = "",
    high: str = "", tip: Sequence[str] = (), own_x: bool = False,
) -> draw.Spec:  # fmt: skip
    """A panel for each value of `panel`; its rows are the values of `name`, by the key `order` from above.

    `by` is a `colour`; lines go from `low` to `high`. With `own_x` each panel has a scale of its own.
    """
    y = {"field": name, "type": "nominal", "title": None, "sort": {"field": "order", "op": "min"}, "axis": ROW}
    shared = {"y": y, "color": by, "tooltip": draw.tips(*tip)}
    shaped = {"shape": draw.shape(by["field"], by["scale"]["domain"], by["title"])}
    layers: list[draw.Spec] = [
        {"mark": {"type": "point", "filled": True, "size": 70}, "encoding": {**shared, **shaped, "x": x}}
    ]
    if low:
        ends = {"x": {**x, "field": low}, "x2": {"field": high}}
        there = [{"filter": f"isValid(datum['{low}']) && isValid(datum['{high}'])"}]
        layers.insert(0, {"transform": there, "mark": {"type": "rule", "opacity": 0.6}, "encoding": {**shared, **ends}})
    return {
        "$schema": draw.SCHEMA,
        "facet": {"field": panel, "type": "nominal", "title": None, "sort": list(order)},
        "columns": min(columns, len(order)),
        "spec": {"width": WIDTH, "height": {"step": STEP}, "layer": layers},
        "resolve": {
            "scale": {"y": "independent", **({"x": "independent"} if own_x else {})},
            "axis": {"x": "independent"},
        },
    }

"""Vega-Lite charts: axes, colours, panels, lines, bars, points, and dots with intervals."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation import charts
from foundation.key_labels import label_of_key

# Pieces of Vega-Lite charts. A spec names the fields of a figure's rows; the data are put in by who draws it.
#
# Colours are Okabe and Ito's, which people with colour-blindness tell apart; black, which a dark page swallows, is grey
# here, and yellow, which paper swallows, is left out. Lines and points differ by shape as well.

Spec = dict[str, Any]
SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#8C8C8C")
SHAPES = ("circle", "square", "triangle-up", "diamond", "cross", "triangle-down", "triangle-right", "triangle-left")
WIDTH, HEIGHT = 480, 280
SMALL_WIDTH, SMALL_HEIGHT = 260, 190
LONG, ACROSS = 24, 100  # letters of a name from which on a legend stands beneath, and those that fit beside one another
LIMIT = 560  # what a name may take, in pixels


def field(name: str, kind: str, title: str = "", **more: Any) -> Spec:
    """An encoding of a row's key; `kind` is quantitative, ordinal or nominal."""
    return {"field": name, "type": kind, "title": title or label_of_key(name), **more}


def amount(name: str, title: str = "", *, zero: bool = True, **more: Any) -> Spec:
    """A number on an axis."""
    return field(name, "quantitative", title, scale={"zero": zero}, **more)


def groups(name: str, title: str = "", order: Sequence[str] | None = None, angle: int = 0, **more: Any) -> Spec:
    """Names on an axis, in their order (else that of the rows)."""
    sort = list(order) if order is not None else None
    return field(name, "nominal", title, sort=sort, axis={"labelAngle": angle, "labelLimit": 220}, **more)


def colour(name: str, order: Sequence[str], title: str = "") -> Spec:
    """A colour for each name, the same wherever `order` is; after seven they come again, with other shapes."""
    given = [COLOURS[place % len(COLOURS)] for place in range(len(order))]
    return field(name, "nominal", title, scale={"domain": list(order), "range": given}, legend=legend(order))


def shape(name: str, order: Sequence[str], title: str = "") -> Spec:
    """A shape for each name, as the colour is; of 56 no two have both alike, since there is a shape more."""
    given = [SHAPES[place % len(SHAPES)] for place in range(len(order))]
    return field(name, "nominal", title, scale={"domain": list(order), "range": given}, legend=legend(order))


def legend(order: Sequence[str]) -> Spec:
    """Whole names: beside the chart, or beneath it where they are long."""
    longest = max(map(len, order), default=0)
    beneath = {"orient": "bottom", "columns": max(1, ACROSS // longest)} if longest > LONG else {}
    return {"labelLimit": LIMIT, **beneath}


def tips(*names: str) -> list[Spec]:
    """The fields of the tooltip, which is shown where a pointer rests."""
    return [{"field": name, "title": label_of_key(name)} for name in names]


def chart(layers: Sequence[Mapping[str, Any]], *, width: int = WIDTH, height: int = HEIGHT) -> Spec:
    """A chart of layers over one another."""
    return {"$schema": SCHEMA, "width": width, "height": height, "layer": [dict(layer) for layer in layers]}


def panels(spec: Mapping[str, Any], name: str, order: Sequence[str], columns: int = 3) -> Spec:
    """The same chart once for each value of a key, each with scales of its own."""
    inner = {key: value for key, value in spec.items() if key != "$schema"}
    return {
        "$schema": SCHEMA,
        "facet": {"field": name, "type": "nominal", "title": None, "sort": list(order)},
        "columns": columns,
        "spec": {**inner, "width": SMALL_WIDTH, "height": SMALL_HEIGHT},
        "resolve": {"scale": {"x": "independent", "xOffset": "independent", "y": "independent"}},
    }


def bars(x: Spec, y: Spec, by: Spec | None = None, *, low: str = "", high: str = "", tip: Sequence[str] = ()) -> Spec:
    """Bars from names `x` to numbers `y`, beside one another `by` a third key; error bars from `low` to `high`."""
    shared: Spec = {"x": x, "tooltip": tips(*tip)}
    if by is not None:
        shared["xOffset"] = {"field": by["field"], "sort": by["scale"]["domain"]}
    layers = [
        {"mark": {"type": "bar", "color": COLOURS[0]}, "encoding": {**shared, "y": y, **({"color": by} if by else {})}}
    ]
    if low:
        layers.append(error_bars(shared, low, high))
    return chart(layers)


def error_bars(shared: Mapping[str, Any], low: str, high: str) -> Spec:
    """Thin lines from `low` to `high`, in a grey that is seen on bars and on any page; no line where there is none."""
    ends = {"y": {"field": low, "type": "quantitative"}, "y2": {"field": high}}
    return {
        "transform": [{"filter": f"isValid(datum['{low}']) && isValid(datum['{high}'])"}],
        "mark": {"type": "rule", "color": "#6B6B6B", "strokeWidth": 1.5},
        "encoding": {**shared, **ends},
    }


def lines(x: Spec, y: Spec, by: Spec, *, low: str = "", high: str = "", tip: Sequence[str] = ()) -> Spec:
    """A line with points for each name of `by` (a `colour`), thin ones from `low` to `high`.

    Over names, what stands at the same one is moved apart, so that each interval is seen.
    """
    order = by["scale"]["domain"]
    shared: Spec = {"x": x, "color": by, "tooltip": tips(*tip)}
    if x["type"] == "nominal":
        shared["xOffset"] = {"field": by["field"], "sort": order, "scale": {"paddingOuter": 2}}
    layers: list[Spec] = [
        {"mark": {"type": "line", "strokeWidth": 2, "strokeJoin": "round"}, "encoding": {**shared, "y": y}},
        {"mark": {"type": "point", "filled": True, "size": 45, "opacity": 1},
         "encoding": {**shared, "y": y, "shape": shape(by["field"], order, by["title"])}},
    ]  # fmt: skip
    if low:
        ends = {"y": {"field": low, "type": "quantitative"}, "y2": {"field": high}}
        has_interval = [{"filter": f"isValid(datum['{low}']) && isValid(datum['{high}'])"}]
        layers.insert(
            0, {"transform": has_interval, "mark": {"type": "rule", "strokeWidth": 1}, "encoding": {**shared, **ends}}
        )
    return chart(layers)


def points(x: Spec, y: Spec, by: Spec | None = None, *, label: str = "", tip: Sequence[str] = ()) -> Spec:
    """A scatter of points; `label` names the key whose words stand beside each."""
    shared: Spec = {"x": x, "y": y, "tooltip": tips(*tip)}
    coloured = {"color": by, "shape": shape(by["field"], by["scale"]["domain"], by["title"])} if by else {}
    mark = {"type": "point", "filled": True, "size": 80, "opacity": 1, "color": COLOURS[0]}
    layers: list[Spec] = [{"mark": mark, "encoding": {**shared, **coloured}}]
    if label:
        words = {"type": "text", "align": "left", "dx": 8, "color": "#6B6B6B"}
        layers.append({"mark": words, "encoding": {**shared, "text": {"field": label, "type": "nominal"}}})
    return chart(layers)


def binned(values: Sequence[float], start: float, step: float) -> list[tuple[float, float, int, float]]:
    """A histogram's bins from below, empty ones between too: from, to below, how many, and their share in percent.

    `start` is an edge; bins before the first value and after the last are left out.
    """
    if not len(values):
        return []
    bins = [int((value - start) // step) for value in values]
    counts = dict.fromkeys(range(min(bins), max(bins) + 1), 0)
    for place in bins:
        counts[place] += 1
    total = len(values)
    return [
        (start + place * step, start + (place + 1) * step, count, 100 * count / total)
        for place, count in counts.items()
    ]


# Dot plots: names from above, a point with its interval for each, in panels.

PANEL_WIDTH, STEP = 280, 20
NAME_LIMIT, LONG_NAME = (
    400,
    34,
)  # what a name may take, in pixels, and from how many letters on panels stand in one column
Row = Mapping[str, str | float | None]


def dots(
    name: str, x: charts.Spec, by: charts.Spec, rows: Sequence[Row], *, panel: str, low: str = "", high: str = "",
    tip: Sequence[str] = (), own_x: bool = False, wide: tuple[str, str] = ("", ""),
) -> charts.Spec:  # fmt: skip
    """A panel for each value of `panel`, as the rows have them; names are those of `name`, by `order` from above.

    `by` is a `colour`; lines go from `low` to `high`, thin ones between the ends of `wide`. With `own_x` each panel has
    a scale of its own.
    """
    order = panels_of(rows, panel)
    columns = 1 if max((len(str(row[name])) for row in rows), default=0) > LONG_NAME else min(2, len(order))
    axis = {"labelLimit": NAME_LIMIT}
    y = {"field": name, "type": "nominal", "title": None, "sort": {"field": "order", "op": "min"}, "axis": axis}
    shared = {"y": y, "color": by, "tooltip": charts.tips(*tip)}
    shaped = {"shape": charts.shape(by["field"], by["scale"]["domain"], by["title"])}
    layers: list[charts.Spec] = [
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
        "$schema": charts.SCHEMA,
        "facet": {"field": panel, "type": "nominal", "title": None, "sort": order},
        "columns": columns,
        "spec": {"width": PANEL_WIDTH, "height": {"step": STEP}, "layer": layers},
        "resolve": {
            "scale": {"y": "independent", **({"x": "independent"} if own_x else {})},
            "axis": {"x": "independent"},
        },
    }


def panels_of(rows: Sequence[Row], panel: str) -> list[str]:
    """The panels, in the order in which rows have them."""
    return list(dict.fromkeys(str(row[panel]) for row in rows))

"""Every figure is drawn by Vega-Lite, with each of its systems and titles, whose words are whole."""

from dataclasses import replace
from functools import cache
from xml.etree import ElementTree

import pytest
from support.paper_snapshots import fu_like, medlane_like, plaba_like
from support.snapshots import gyafc_like, msd_like, reported

from evaluation import charts as draw
from evaluation.rendering.images import svg_of
from evaluation.table_parts.contents import Figure
from evaluation.tables import TABLES

OF_TEXTS = {"plaba_figure_3"}
NAMES = [name for name in TABLES if ("figure" in name or name.startswith("by_")) and name not in OF_TEXTS]
STUDIES = {"gyafc": gyafc_like, "msd": msd_like, "fu": fu_like, "plaba": plaba_like, "medlane": medlane_like}
LONG = ", whose name is as long as: multi-decoder, 512, seed 3"
MARKS = ("bar", "point", "circle", "square", "diamond", "line mark", "rule mark")
TEXT = "{http://www.w3.org/2000/svg}text"


@cache
def study(name):
    """Its systems have names as people give them, which are long."""
    snapshot = STUDIES[name]()
    systems = [replace(system, name=f"{system.name}{LONG}") for system in snapshot.systems]
    return reported(replace(snapshot, systems=systems))


def figure_of(name):
    """That of the first study that gives it."""
    every = (TABLES[name].make(study(one)) for one in STUDIES)
    return next(found for found in every if isinstance(found, Figure))


def drawn(figure):
    return ElementTree.fromstring(svg_of(figure))  # noqa: S314


def named(spec):
    """The titles of the axes and the names of the legend."""
    if isinstance(spec, dict):
        scale = spec.get("scale") or {}
        yield from (scale.get("domain") or []) if spec.get("type") == "nominal" else []
        yield from [spec["title"]] if spec.get("title") and spec.get("type") == "quantitative" else []
        spec = [value for key, value in spec.items() if key != "tooltip"]
    if isinstance(spec, list):
        for one in spec:
            yield from named(one)


@pytest.mark.parametrize("name", NAMES)
def test_a_figure_is_drawn_whole(name):
    figure = figure_of(name)
    found = drawn(figure)
    words = {one.text or "" for one in found.iter(TEXT)}
    assert not [word for word in words if word.endswith("…")]
    assert set(named(dict(figure.spec))) <= words
    marks = [one.get("aria-roledescription") for one in found.iter()]
    assert any(mark in MARKS for mark in marks)
    assert figure.describes.endswith(".")
    assert all(row.keys() == figure.rows[0].keys() for row in figure.rows)


def test_colours_and_shapes_tell_many_systems_apart():
    names = [f"System {one}" for one in range(56)]
    colours, shapes = (given(name="system", order=names)["scale"]["range"] for given in (draw.colour, draw.shape))
    assert len(set(zip(colours, shapes, strict=True))) == 56


def test_a_legend_of_long_names_stands_beneath():
    assert draw.legend(["A", "B"]).get("orient") is None
    assert draw.legend(["A", "B" + LONG])["orient"] == "bottom"
    assert draw.legend(["A" * 30, "B" * 30])["columns"] == 3

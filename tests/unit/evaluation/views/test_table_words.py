"""Tables and figures in their reader's language, and the keys that stay."""

import ast
from pathlib import Path

import pytest
from django.utils.translation import override

from evaluation.charts import bars, colour, dots
from evaluation.metrics import METRICS
from evaluation.table_parts.contents import Cell, Figure
from evaluation.table_parts.head_words import HEADS
from evaluation.views.table_words import said_cell, said_figure, said_head

TABLES = sorted(Path(__file__).parents[4].joinpath("evaluation", "tables").glob("[!_]*.py"))
NAMES = {METRICS[name].label for name in METRICS} | {"", "BLEU", "BLEU-4", "AScore", "F1", "n", "p"}


def texts(value):
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.List(elts=several) | ast.Tuple(elts=several):
            for one in several:
                yield from texts(one)
        case ast.Starred(value=inner):
            yield from texts(inner)
        case ast.IfExp(body=one, orelse=other):
            yield from [*texts(one), *texts(other)]


def heads_of(path):
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Call(func=ast.Name(id="Table"), args=[_, head, *_]):
                yield from texts(head)
            case ast.Call(func=ast.Name(id="Column"), args=[head, *_]):
                yield from texts(head)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name == "head" or name.endswith("HEAD"):
                yield from texts(value)


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.stem)
def test_every_head_that_is_no_name_is_said_in_the_readers_language(path):
    assert set(heads_of(path)) - HEADS <= NAMES


def test_a_head_keeps_names_and_says_the_rest():
    with override("de"):
        assert said_head("Level") == "Ebene"
        assert said_head("both_low") == "Unteres Ende, auch Systeme gezogen"
        assert said_head("Simplicity (expert to lay)") == "Einfachheit (expert to lay)"
        assert said_head("Fluency (low is good)").endswith(" (niedrig ist gut)")
        assert said_head("Fluency: people and BLEU").endswith(": Personen und BLEU")
        assert said_head("BLEU (expert to lay)") == "BLEU (expert to lay)"
        assert said_head("Level of a lab's own") == "Level of a lab's own"
        assert said_cell("Level", Cell("sentence")).text == "Satz"
        assert said_cell("System", Cell("sentence")).text == "sentence", "a system's name is nobody's word"
        assert said_cell("Fooled by", Cell("Source copied; Words shuffled")).text.startswith("Ausgangstext kopiert; ")
    assert said_head("Level") == "Level"


def test_a_figure_is_drawn_in_words_with_its_keys():
    rows = [{"panel": "Simplicity", "system": "Simplicity", "value": 1.0, "cluster": "not ranked"}]
    by = colour("cluster", ["not ranked"], "Cluster")
    spec = dots("system", bars({}, {"title": "Score"})["layer"][0]["encoding"]["y"], by, rows, panel="panel")
    with override("de"):
        said = said_figure(Figure("t", spec, rows, "d"))
    assert said.rows == [{"panel": "Einfachheit", "system": "Simplicity", "value": 1.0, "cluster": "nicht gereiht"}]
    assert said.spec["facet"] == {"field": "panel", "type": "nominal", "title": None, "sort": ["Einfachheit"]}
    coloured = said.spec["spec"]["layer"][-1]["encoding"]["color"]
    assert (coloured["title"], coloured["scale"]["domain"]) == ("Cluster", ["nicht gereiht"])
    assert coloured["scale"]["range"] == by["scale"]["range"]
    assert said.spec["spec"]["layer"][-1]["encoding"]["x"]["title"] == "Score"

import orjson

from evaluation.table_building import entry_json
from evaluation.table_parts.contents import Cell, Entry, Figure, MissingContent, Table
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TABLE = Table(
    "Systems",
    ["System", "BLEU"],
    [[Cell("A"), Cell("20.00", 20.0, best=True, stars="*", parts={"low": 19.0}, rows={"metric": "bleu"})]],
    ["A note."],
    [None, True],
)
FIGURE = Figure("Length", {"mark": "line"}, [{"x": 1.0, "y": None, "system": "A"}], "It falls.", ["n = 4"])


def stored(made):
    entry = TableOrFigure(title="T", make=lambda snapshot: made, paper=GYAFC, number="Table 4", order=3)
    return orjson.loads(orjson.dumps(entry_json("t", entry, made)))


def test_what_was_stored_comes_back():
    for made in (TABLE, FIGURE, MissingContent("Length", ["There are no judgements."])):
        assert Entry.of(stored(made)).content == made


def test_an_entry_says_where_it_stands():
    found = stored(TABLE)
    assert (found["name"], found["is"], found["kind"], found["number"], found["order"]) == (
        "t", "table", "paper", "Table 4", 3
    )  # fmt: skip
    assert found["paper"]["year"] == 2018
    assert found["made"]["rows"][0][0] == {"text": "A"}, "only what is not as usual"

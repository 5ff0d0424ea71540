"""Rows as CSV, as tables of a terminal and of a notebook, and the report as rows."""

import sys

import pyarrow
import pytest

from restyle import Report, RestyleError, Rows
from restyle.display import Imported
from restyle.frames import csv_of, html_table, text_table
from restyle.names import slug_of

BOARD = {"rows": [{"system": "Rules", "low": 4.25, "high": 4.75, "n": 9, "cluster": 1, "stars": "*"}]}
DATA = {
    "study": "tone",
    "leaderboard": {"criteria": {"meaning": BOARD}, "metrics": {}},
    "systems": [
        {
            "name": "Rules",
            "human": {"meaning": {"mean": 4.5, "low": 4, "high": 5, "n": 9, "undefined": ""}},
            "metrics": {"bleu": {"score": None, "n": 0, "undefined": "There are no references."}},
        }
    ],
}


def test_rows_are_sent_as_csv() -> None:
    assert csv_of([{"a": "x, y", "b": 1}, {"a": "é", "c": None}]) == 'a,b,c\r\n"x, y",1,\r\né,,\r\n'.encode()
    with pytest.raises(RestyleError, match="Give a table as"):
        csv_of([])
    with pytest.raises(RestyleError, match="Give a table as"):
        csv_of(3)


def test_a_notebook_shows_no_markup_of_texts() -> None:
    shown = Rows([{"text": "<script>1</script>", "value": 0.123456}])._repr_html_()
    assert "&lt;script&gt;" in shown
    assert "0.1235" in shown
    assert "... and 5 more" in html_table([{"n": one} for one in range(25)])


def test_a_terminal_has_columns() -> None:
    assert text_table([{"system": "A", "bleu": 1.5}, {"system": "Long", "bleu": None}]) == (
        "system  bleu\n------  ----\nA        1.5\nLong"
    )
    assert text_table([]) == ""


def test_the_report_is_rows() -> None:
    report = Report(DATA)
    assert report.table == [{"system": "Rules", "meaning": 4.5, "bleu": None}]
    meaning, bleu = report.scores
    assert (meaning["by"], meaning["value"], meaning["low"], meaning["cluster"]) == ("people", 4.5, 4.25, 1)
    assert (bleu["by"], bleu["value"], bleu["low"], bleu["undefined"]) == (
        "metric", None, None, "There are no references.",
    )  # fmt: skip
    assert "<caption>Report of tone</caption>" in report._repr_html_()


def test_what_a_data_frame_is_made_of_are_plain_rows_of_equal_names() -> None:
    """`data_frames.py` makes frames of them in the soak: pandas and polars are no packages of the suite."""
    records = Rows(Report(DATA).scores).records()
    assert {type(one) for one in records} == {dict}
    assert len({tuple(one) for one in records}) == 1
    frame = pyarrow.Table.from_pylist(records)  # the types that both libraries read too
    assert frame.column("measure").to_pylist() == ["meaning", "bleu"]
    assert frame.column("value").to_pylist() == [4.5, None]


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_library_that_is_missing_is_a_sentence(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(RestyleError, match=rf"{name} is not installed: pip install 'restyle\[{name}\]'"):
        getattr(Report(DATA), f"to_{name}")()


def test_half_a_character_is_a_sentence() -> None:
    with pytest.raises(RestyleError, match="half a character"):
        csv_of([{"text": "\ud800"}])


@pytest.mark.parametrize(("title", "slug"), [
    ("Tone of Short Messages", "tone-of-short-messages"), ("Éléments: le ton!", "elements-le-ton"), ("語調", "study"),
])  # fmt: skip
def test_a_short_name_is_made_of_the_title(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_an_import_is_one_line_of_a_notebook_and_a_mapping_as_before() -> None:
    looked = {
        "numbers": {"rows": 1200, "left_out": 0}, "questions": [{"answer": ""}, {"answer": "match"}], "notes": [],
        "nothing": "", "brought": "", "job": None,
    }  # fmt: skip
    assert str(Imported(looked)) == "<import, nothing is in yet: rows 1,200; questions 1, notes 0>"
    assert repr(Imported({**looked, "nothing": "No row is new."})) == (
        "<import, nothing is in yet: No row is new.; questions 1, notes 0>"
    )
    assert str(Imported({**looked, "brought": "In are now: 3 new sources."})) == "<import: In are now: 3 new sources.>"
    assert Imported(looked)["numbers"]["rows"] == 1200

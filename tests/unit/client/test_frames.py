"""Rows as CSV, as tables of a terminal and of a notebook, and the report as rows."""

import pytest

from restyle import Report, RestyleError, Rows
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


def test_data_frames_hold_the_rows() -> None:
    pandas = pytest.importorskip("pandas")
    frame = Report(DATA).to_pandas()
    assert list(frame["measure"]) == ["meaning", "bleu"]
    assert csv_of(pandas.DataFrame({"a": [1]})) == b"a\n1\n"


def test_polars_holds_the_rows() -> None:
    polars = pytest.importorskip("polars")
    assert Report(DATA).to_polars()["measure"].to_list() == ["meaning", "bleu"]
    assert csv_of(polars.DataFrame({"a": [1]})) == b"a\n1\n"


@pytest.mark.parametrize(("title", "slug"), [
    ("Tone of Short Messages", "tone-of-short-messages"), ("Éléments: le ton!", "elements-le-ton"), ("語調", "study"),
])  # fmt: skip
def test_a_short_name_is_made_of_the_title(title: str, slug: str) -> None:
    assert slug_of(title) == slug

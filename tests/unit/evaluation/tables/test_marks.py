"""Tables of marked spans: where they lie, and what people do with marks that they are shown."""

import dataclasses

import pytest
from support.snapshots import bare, workers_of

from evaluation.snapshot import MarkedOutput
from evaluation.table_parts.contents import MissingContent
from evaluation.tables import TABLES
from evaluation.tables.marks import fate_of

OUTPUT = "x" * 100


def mark(start, end, kind="Accuracy/Addition", severity="Minor", side="output"):
    return {"side": side, "start": start, "end": end, "kind": kind, "severity": severity, "reason": ""}


def made(name, *marked):
    return TABLES[name].make(dataclasses.replace(bare(), marked=marked))


def test_a_mark_lies_in_the_fifth_of_its_middle_on_the_source_or_nowhere():
    one = MarkedOutput(1, "ada", "s", OUTPUT, ["Rules"], [
        mark(0, 10), mark(5, 100), mark(99, 100, "Fluency/Grammar"), mark(3, 5, side="source"), mark(100, 100, ""),
    ])  # fmt: skip
    two = MarkedOutput(2, "ada", "s", OUTPUT, ["Rules", "Neural"], [mark(0, 19)])
    table = made("marks_places", one, two)
    rows = {(row[0].text, row[1].text): [cell.value for cell in row[2:]] for row in table.rows}
    assert rows == {
        ("Rules", "Accuracy"): [100, 0, 50, 0, 0, 50, 0, 200], ("Rules", "Fluency"): [0, 0, 0, 0, 50, 0, 0, 50],
        ("Rules", "Minor"): [0, 0, 0, 0, 0, 0, 50, 50], ("Neural", "Accuracy"): [100, 0, 0, 0, 0, 0, 0, 100],
    }  # fmt: skip
    assert [cell.shade for cell in table.rows[-1][2:4]] == [5, 0]
    assert isinstance(made("marks_places"), MissingContent)


@pytest.mark.parametrize(("marks", "fate"), [
    ([mark(0, 5), mark(10, 20)], (2, 0, 0, 0)), ([mark(0, 6), mark(10, 20, severity="Major")], (0, 2, 0, 0)),
    ([mark(30, 40)], (0, 0, 2, 1)), ([mark(0, 20)], (0, 1, 1, 0)), ([mark(0, 5), mark(1, 4)], (1, 0, 1, 1)),
    ([mark(0, 5, side="source")], (0, 0, 2, 1)),
])  # fmt: skip
def test_what_becomes_of_a_suggested_mark(marks, fate):
    assert fate_of([mark(0, 5), mark(10, 20)], marks) == fate


def test_people_who_keep_all_they_are_shown_are_told_from_those_who_were_shown_nothing():
    """Of 20 items 10 show one mark, which everybody keeps; of the other 10 one in five has it."""
    suggested = [mark(0, 5)]
    rows = [
        MarkedOutput(n, "ada", "s", OUTPUT, ["Rules"], suggested if n < 10 or n % 5 == 0 else [], 50 + n, -1.0,
                     suggested, n < 10, 30.0 if n < 10 else 60.0)
        for n in range(20)
    ]  # fmt: skip
    table = made("marks_suggested", *rows)
    kept = next(row for row in table.rows if "as they were" in row[0].text)
    assert [cell.value for cell in kept[1:]] == [1.0, 0.2, 0.8]
    assert kept[1].parts == {"low": 1.0, "high": 1.0}
    assert 0.4 < kept[3].parts["low"] < 0.8 < kept[3].parts["high"] <= 1.0
    seconds = table.rows[-1]
    assert [cell.value for cell in seconds[1:]] == [30, 60, -30]
    alone = made("marks_suggested", *rows[:10])
    assert "empty_share" in alone.notes[-1]
    assert isinstance(made("marks_suggested", rows[0]._replace(suggested=None)), MissingContent)


def test_a_program_is_held_to_people_and_people_to_each_other():
    people = [
        MarkedOutput(1, name, "s", OUTPUT, ["Rules"], marks)
        for name, marks in (("ada", [mark(0, 10)]), ("bea", [mark(0, 5)]))
    ]
    snapshot = dataclasses.replace(
        bare(), raters=workers_of(2, names=["ada", "bea"]),
        marked=[*people, MarkedOutput(1, "xcomet", "s", OUTPUT, ["Rules"], [mark(0, 10, severity="Major")]),
                MarkedOutput(2, "other", "s", OUTPUT, ["Rules"], [])],
    )  # fmt: skip
    rows = {row[0].text: [cell.value for cell in row[1:]] for row in TABLES["span_metrics"].make(snapshot).rows}
    assert rows["xcomet"] == pytest.approx([2, 7.5 / 20, 0.5, 3 / 7])
    assert rows["One person against another"] == pytest.approx([2, 10 / 15, 10 / 15, 10 / 15])
    assert rows["other"] == [0, None, None, None]
    assert isinstance(made("span_metrics", *people[:0]), MissingContent)

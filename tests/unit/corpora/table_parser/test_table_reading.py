"""The rows of a table that another process reads: as often as they are asked for, few ones from here."""

import pytest

from corpora.formats import TextFile
from corpora.table_parser import understand
from corpora.table_parser.table_recognition import understand_here

ROWS = "".join(f"text {number},Text {number}.\n" for number in range(3000))
FILE = TextFile(f"source,text\n{ROWS}".encode(), "x.csv")


@pytest.mark.parametrize("few", [1 << 30, 0])
def test_rows_are_the_same_each_time(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr("corpora.table_parser.table_reading.FEW", few)
    with understand_here(FILE) as here, understand(FILE) as table:
        expected = list(here.records())
        begun = table.records()
        assert next(begun) == expected[0]  # and no more of them
        assert list(table.records()) == expected
        assert list(table.records()) == expected
        assert [row.cells for row, _ in table.dicts()] == [row.cells for row in expected]
        assert table.sample == here.sample


def test_few_rows_are_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    with understand(FILE) as table:
        process = table.read.__self__.process  # type: ignore[attr-defined]
        items = process.items
        monkeypatch.setattr(process, "items", lambda function: asked.append(function) or items(function))
        assert len(list(table.records())) == len(list(table.records())) == 3000
        assert len(asked) == 1
        monkeypatch.setattr("corpora.table_parser.table_reading.FEW", 0)
    with understand(FILE) as table:
        process = table.read.__self__.process  # type: ignore[attr-defined]
        items = process.items
        monkeypatch.setattr(process, "items", lambda function: asked.append(function) or items(function))
        assert len(list(table.records())) == len(list(table.records())) == 3000
        assert len(asked) == 3

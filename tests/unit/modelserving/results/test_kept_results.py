"""What runs found is kept under a key, and the tables find their places in a document."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.results.kept import Kept
from modelserving.results.laid_out import markdown, put
from modelserving.results.looks import looks


def test_a_run_is_there_under_its_key_alone(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "runs")
    assert kept.get("pbmt", {"seed": 1}) is None
    found = kept.put("pbmt", {"seed": 1}, {"sari": 30.5})
    assert kept.get("pbmt", {"seed": 1}) == found == {"name": "pbmt", "key": {"seed": 1}, "sari": 30.5}
    assert kept.get("pbmt", {"seed": 2}) is None
    assert list(kept.all()) == ["pbmt"]
    kept.forget()
    assert kept.all() == {}


def test_a_table_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    document = tmp_path / "results.md"
    document.write_text("above\n<!-- made: a -->\nold\nold\n<!-- end: a -->\nbelow\n")
    for _ in range(2):
        put(document, "a", markdown(("", "SARI"), [("x", "30.5")]))
        assert document.read_text() == (
            "above\n<!-- made: a -->\n|  | SARI |\n| --- | ---: |\n| x | 30.5 |\n<!-- end: a -->\nbelow\n"
        )
    with pytest.raises(UserError, match="'b' begins"):
        put(document, "b", "table")


def test_how_outputs_look() -> None:
    found = looks(["a b c d", "The cat ."], ["a a x", "the cat ."])
    assert found == {"copied": 0.5, "length": 6 / 7, "new": 1 / 6, "repeated": 1 / 6}
    assert looks(["a"], [""]) == {"copied": 0.0, "length": 0.0, "new": 0.0, "repeated": 0.0}

"""The experiment on ParaDetox: its splits, on the published file; a small network on made rows."""

import json
from pathlib import Path

import pytest

from tools.results import paradetox
from tools.results.__main__ import main
from tools.results.run_store import RunStore

PARADETOX = Path(__file__).parents[5] / "shared" / "data" / "paradetox"
SMALL = ["hidden=8", "embedding=8", "epochs=1", "seed=1"]


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve sources with three rewrites, three of which test and two tune, and eight with one."""
    monkeypatch.setattr(paradetox, "TESTED", 3)
    monkeypatch.setattr(paradetox, "TUNED", 2)
    folder = tmp_path / "data" / "paradetox"
    folder.mkdir(parents=True)
    rows = ["toxic\tneutral1\tneutral2\tneutral3"]
    rows += [f"The dull cat {at} sat.\tThe cat {at} sat.\tCat {at} sat.\tA cat {at} sat." for at in range(12)]
    rows += [f'A dull dog {at}.\t"A ""good""\ndog {at}."\t\t' for at in range(8)]
    (folder / "paradetox.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


@pytest.mark.skipif(not PARADETOX.exists(), reason="ParaDetox does not lie beside the repository")
def test_splits_of_the_published_file_do_not_meet_and_the_source_copied_is_far_from_neutral() -> None:
    texts = paradetox.read(PARADETOX)
    assert [len(one.sources) for one in (texts.train, texts.tune, texts.test)] == [10_856, 400, 671]
    assert all(len(row) == 3 for row in (*texts.tune.references, *texts.test.references))
    every = [*texts.train.sources, *texts.tune.sources, *texts.test.sources]
    assert len(set(every)) == len(every) == 11_927


def test_a_cell_in_quotation_marks_is_one_text(made: Path) -> None:
    texts = paradetox.read(made)
    assert [len(one.sources) for one in (texts.train, texts.tune, texts.test)] == [15, 2, 3]
    assert ['a "good" dog 3.'] in texts.train.references


def test_a_run_written_elsewhere_is_judged_with_style_and_meaning_and_keeps_no_text(made: Path, tmp_path: Path) -> None:
    document = tmp_path / "results.md"
    document.write_text("<!-- made: paradetox -->\n<!-- end: paradetox -->\n")
    command = [
        "paradetox", "--models", "seq2seq", "--set", *SMALL, "--data", str(made.parent), "--runs",
        str(tmp_path / "runs"), "--work", str(tmp_path / "work"), "--document", str(document),
    ]  # fmt: skip
    main([*command, "--unjudged"])
    store = RunStore(tmp_path / "runs" / "paradetox")
    assert not store.all()
    (facts,) = (tmp_path / "work").rglob("facts.json")
    said = json.loads(facts.read_text())
    said["key"]["place"]["processor"] = "Another processor"
    facts.write_text(json.dumps(said))
    main([*command, "--untrained"])
    (run,) = (one for one in store.all().values() if one.get("row") == "seq2seq")
    assert run["key"]["place"]["processor"] == "Another processor"
    assert {"strength", "preservation"} <= run.keys()
    assert not any("samples" in one for one in store.all().values())
    head = next(line for line in document.read_text().splitlines() if line.startswith("|"))
    assert "style" in head
    assert "meaning" in head
    assert "cat" not in document.read_text()

"""The experiment on ASSET, on made sentences with a small network; the rows that know nothing, on the real ones."""

from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.results import asset
from modelserving.results.__main__ import main
from modelserving.results.asset_table import below, table
from modelserving.results.fitting import Place
from modelserving.results.kept import Kept
from modelserving.transfer import TRANSFERS

ASSET = Path(__file__).parents[5] / "shared" / "data" / "asset"
SMALL = {"hidden": 8, "embedding": 8, "epochs": 1, "not_an_option": 3}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Eight sentences to train on, two to tune on and two to test on."""
    for name, part in (("TRAIN", slice(0, 8)), ("TUNE", slice(8, 10)), ("TEST", slice(10, 12))):
        monkeypatch.setattr(asset, name, part)
    folder = tmp_path / "asset"
    folder.mkdir()
    names = ["orig", *(f"simp.{i}" for i in range(asset.REFERENCES))]
    for number, name in enumerate(names):
        lines = [f"the cat {i} sat on a mat ." if number == 0 else f"cat {i} sat {number} ." for i in range(12)]
        (folder / f"asset.valid.{name}").write_text("\n".join(lines))
    return folder


@pytest.mark.skipif(not ASSET.exists(), reason="ASSET does not lie beside the repository")
def test_the_rows_that_know_nothing() -> None:
    test = asset.read(ASSET)[asset.TEST]
    scores = {name: test.judge(outputs)["sari"] for name, (_, outputs) in asset.knowing_nothing(test.sources).items()}
    assert {name: round(score or 0, 1) for name, score in scores.items()} == {
        "source_copied": 22.6,
        "constant": 23.0,
        "words_dropped": 33.5,
    }


def test_splits_do_not_meet(made: Path) -> None:
    sentences = asset.read(made)
    data = asset.data(sentences)
    assert len(data.train) == 8 * asset.REFERENCES
    assert list(data.train.targets[:2]) == ["cat 0 sat 1 .", "cat 0 sat 2 ."]
    assert (len(data.tune), len(data.tune.references)) == (2, asset.REFERENCES)
    assert not {*data.train.sources, *data.tune.sources} & {*sentences[asset.TEST].sources}


def test_a_run_is_made_once_and_stands_in_the_table(made: Path, tmp_path: Path) -> None:
    kept = Kept(tmp_path / "runs")
    asset.run(made, kept, Place(tmp_path), ["seq2seq"], SMALL)
    first = kept.all()["seq2seq"]
    asset.run(made, kept, Place(tmp_path), ["seq2seq"], SMALL)
    assert kept.all()["seq2seq"] == first  # the seconds too
    assert first["key"]["options"]["hidden"] == 8
    assert first["training"]["processor"] > 0
    assert first["bytes"] > 1000
    assert [step for step, _ in first["tuned"]["bleu"]] == sorted({step for step, _ in first["tuned"]["bleu"]})
    assert (tmp_path / "seq2seq.txt").read_text().count("\n") == 2
    lines = table(kept).splitlines()
    rows = [line for line in lines if line.startswith("|")][2:]
    saris = [float(row.split("|")[2]) for row in rows]
    assert saris == sorted(saris, reverse=True)
    assert len(rows) == 4


def test_other_options_make_it_anew(made: Path, tmp_path: Path) -> None:
    kept = Kept(tmp_path / "runs")
    for hidden in (4, 8):
        asset.run(made, kept, Place(tmp_path), ["seq2seq"], {**SMALL, "hidden": hidden})
        assert kept.all()["seq2seq"]["key"]["options"]["hidden"] == hidden


def test_a_model_below_a_row_that_knows_nothing_failed() -> None:
    bars = [{"sari": 30.0, "knows_nothing": True}, {"sari": 20.0, "knows_nothing": True}]
    assert below({"sari": 25.0, "knows_nothing": False}, bars) == bars[:1]
    assert below({"sari": 30.0, "knows_nothing": False}, bars) == []


def test_every_supervised_model_takes_part() -> None:
    models = {name for name in TRANSFERS if TRANSFERS[name].needs == "parallel"}
    assert set(asset.supervised()) - set(asset.VARIANTS) == models
    assert {model for model, _ in asset.VARIANTS.values()} <= models


def test_files_that_are_not_there_are_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match=r"asset\.valid\.orig: The file of ASSET is not there"):
        main(["asset", "--data", str(tmp_path), "--runs", str(tmp_path), "--work", str(tmp_path / "work")])
    (tmp_path / "asset.valid.orig").write_text("one\n")
    for i in range(asset.REFERENCES):
        (tmp_path / f"asset.valid.simp.{i}").write_text("one\n")
    with pytest.raises(UserError, match="2000 sentences of ASSET"):
        asset.read(tmp_path)


def test_tables_alone_are_written_from_the_runs(made: Path, tmp_path: Path) -> None:
    document = tmp_path / "results.md"
    document.write_text("<!-- made: asset -->\n<!-- end: asset -->\n")
    asset.run(made, Kept(tmp_path / "runs" / "asset"), Place(tmp_path), ["seq2seq"], SMALL)
    main(["asset", "--tables", "--runs", str(tmp_path / "runs"), "--document", str(document)])
    assert "| `seq2seq` |" in document.read_text()


@pytest.mark.parametrize(("model", "least"), [("seq2seq", 11), ("seq2seq_shared", 21), ("nmt_combined", 43)])
def test_a_word_of_one_source_alone_is_not_known(model: str, least: int) -> None:
    assert asset.least_of(model) == least

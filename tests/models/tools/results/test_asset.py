"""The experiment on ASSET, on made sentences with a small network; the rows that know nothing, on the real ones."""

from pathlib import Path
from typing import Any

import pytest

from foundation.errors import UserError
from modelserving.transfer import TRANSFERS
from tools.results import asset
from tools.results.__main__ import main
from tools.results.parallel import SAME, uninformed_baselines
from tools.results.parallel_table import below, table, unsure
from tools.results.resumable_training import RunEnvironment
from tools.results.run_store import RunStore
from tools.results.table_rows import ResultRow

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


@pytest.mark.soak
@pytest.mark.skipif(not ASSET.exists(), reason="ASSET does not lie beside the repository")
def test_the_rows_that_know_nothing() -> None:
    judge = asset.EXPERIMENT.evaluator(asset.read(ASSET))
    made = uninformed_baselines(judge.sources, judge.texts, 1)
    found = {name: judge.of(outputs) for name, (_, outputs) in made.items()}
    assert {name: round(one["sari"], 1) for name, one in found.items()} == {
        "source_copied": 22.6,
        "constant": 23.0,
        "words_dropped": 33.5,
        "words_replaced": 34.0,
        "words_shuffled": 27.2,
    }
    assert all(abs(one["sari"] - one["sari_of_fewer"]) < 0.02 for one in found.values()), "nine references are as good"
    assert found["words_shuffled"]["perplexity"] > 3 * found["source_copied"]["perplexity"]
    people = judge.of_people()
    assert round(people["sari_of_fewer"], 1) == 44.9
    low, high = people["intervals"]["sari_of_fewer"]
    assert 44 < low < 44.9 < high < 46


def test_splits_do_not_meet(made: Path) -> None:
    texts = asset.read(made)
    data = asset.EXPERIMENT.data(texts)
    assert len(data.train) == 8 * asset.REFERENCES
    assert list(data.train.targets[:2]) == ["cat 0 sat 1 .", "cat 0 sat 2 ."]
    assert (len(data.dev), len(data.dev.references)) == (2, asset.REFERENCES)
    assert not {*data.train.sources, *data.dev.sources} & {*texts.test.sources}


def test_a_run_is_made_once_and_stands_in_the_table(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    asset.EXPERIMENT.run(made, store, RunEnvironment(tmp_path), ["seq2seq"], SMALL)
    runs = run_of(store, "seq2seq")
    assert [run["key"]["seed"] for run in runs] == [1, 2, 3]
    asset.EXPERIMENT.run(made, store, RunEnvironment(tmp_path), ["seq2seq"], SMALL)
    assert run_of(store, "seq2seq") == runs  # the seconds too
    first = runs[0]
    assert first["key"]["options"]["hidden"] == 8
    assert set(first["key"]["place"]) == {"processor", "device", "threads"}
    assert first["training"]["processor"] > 0
    assert first["bytes"] > 1000
    assert [step for step, _ in first["tuned"]["bleu"]] == sorted({step for step, _ in first["tuned"]["bleu"]})
    assert len(first["samples"]) == 2
    assert first["intervals"]["sari"][0] <= first["sari"] <= first["intervals"]["sari"][1]
    lines = table(asset.EXPERIMENT, store).splitlines()
    rows = [line for line in lines if line.startswith("|")][2:]
    rows = [row for row in rows if "]" in row]
    saris = [float(row.split("|")[2].split()[0]) for row in rows]
    assert saris == sorted(saris, reverse=True)
    assert len(rows) == 7, "one model, five rows that know nothing, people"
    assert "What each makes of 2 sources" in table(asset.EXPERIMENT, store)


def test_what_was_written_is_judged_anew_without_a_training(made: Path, tmp_path: Path) -> None:
    store, given = RunStore(tmp_path / "runs"), {**SMALL, "seed": 1}
    asset.EXPERIMENT.run(made, store, RunEnvironment(tmp_path), ["seq2seq"], given)
    (first,) = run_of(store, "seq2seq")
    store.forget()
    asset.EXPERIMENT.run(made, store, RunEnvironment(tmp_path), ["seq2seq"], given)
    assert run_of(store, "seq2seq") == [first], "the seconds of the one training too"


def run_of(store: RunStore, row: str) -> list[dict[str, Any]]:
    return [run for run in store.all().values() if run.get("row") == row]


def test_other_options_make_it_anew(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    for hidden in (4, 8):
        asset.EXPERIMENT.run(made, store, RunEnvironment(tmp_path), ["seq2seq"], {**SMALL, "hidden": hidden, "seed": 1})
        assert [run["key"]["options"]["hidden"] for run in run_of(store, "seq2seq")] == [hidden]


def made_row(name: str, *saris: float, spread: float = 1.0, model: bool = True) -> ResultRow:
    """Seeds with these SARIs, whose draws go from `spread` below to `spread` above."""
    runs = []
    for seed, sari in enumerate(saris, start=1):
        draws = " ".join(f"{sari + spread * (at % 21 - 10) / 10:.3f}" for at in range(1000))
        run: dict[str, Any] = {"name": name, "label": name, "knows_nothing": not model, "sari": sari, "bleu": 50.0,
                               "draws": {"sari": draws}, "key": {"seed": seed}}  # fmt: skip
        runs.append({**run, "training": {}} if model else run)
    return ResultRow(name, runs)


def test_a_model_below_any_row_that_knows_nothing_failed() -> None:
    bars = [made_row("noise", 34.0, 34.4, model=False), made_row("copied", 22.0, model=False)]
    assert below(made_row("m", 33.0, 35.0), bars, "sari") == bars[:1], "the mean of its seeds counts"
    assert below(made_row("m", 34.0, 34.6), bars, "sari") == []
    assert below(bars[1], bars, "sari") == [], "a row that knows nothing fails at nothing"


def test_a_model_is_surely_above_a_row_where_drawn_sources_say_so() -> None:
    bars = [made_row("noise", 34.0, model=False)]
    assert unsure(made_row("m", 34.5, spread=2.0), bars, "sari") == bars, "in some draws it is below"
    assert unsure(made_row("m", 34.5), bars, "sari") == [], "the same sources were drawn for both"
    assert unsure(made_row("m", 33.5), bars, "sari") == [], "it is below"


def test_every_supervised_model_takes_part() -> None:
    models = {name for name in TRANSFERS if TRANSFERS[name].needs == "parallel"}
    from_folders = {name for name in models if "folder" in vars(TRANSFERS[name].Options())}
    assert {"t5", "bart"} <= from_folders
    assert set(asset.EXPERIMENT.models()) - set(asset.VARIANTS) | set(SAME) == models - from_folders
    assert {model for model, _ in asset.VARIANTS.values()} <= models
    assert set(SAME.values()) <= set(asset.EXPERIMENT.models())


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
    asset.EXPERIMENT.run(made, RunStore(tmp_path / "runs" / "asset"), RunEnvironment(tmp_path), ["seq2seq"], SMALL)
    main(["asset", "--tables", "--runs", str(tmp_path / "runs"), "--document", str(document)])
    assert "| `seq2seq` |" in document.read_text()


@pytest.mark.parametrize(("model", "least"), [("seq2seq", 11), ("seq2seq_shared", 21), ("nmt_combined", 43)])
def test_a_word_of_one_source_alone_is_not_known(model: str, least: int) -> None:
    assert asset.EXPERIMENT.least_of(model) == least


def test_edit_nts_is_tuned_by_what_a_copy_is_not_the_best_of() -> None:
    planned = asset.EXPERIMENT.planned("edit_nts", 1, {})
    assert (planned.options.tune_by, planned.options.lowercase) == ("sari", False)
    assert asset.EXPERIMENT.planned("edit_nts", 1, {"tune_by": "bleu"}).options.tune_by == "bleu", (
        "what is given goes first"
    )
    assert asset.EXPERIMENT.planned("seq2seq", 1, {}).options.tune_by == "bleu"

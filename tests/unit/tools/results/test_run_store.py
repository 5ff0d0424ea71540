"""What runs found is kept under a key, and the tables find their places in a document."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.metrics import METRICS
from evaluation.metrics._base import Scores
from foundation.errors import UserError
from tools.results.automatic_scores import NOISES, noisy_outputs
from tools.results.run_store import RunResult, RunStore, describe_processor, hardware_key, machine, threads
from tools.results.table_rows import format_resamples as kept_line
from tools.results.table_rows import (
    markdown,
    mean_over_seeds,
    output_statistics,
    percentile_interval,
    put_between_markers,
    resampled_scores,
    result_rows,
    sample_tables,
)


def test_a_run_is_there_under_its_key_alone(tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    assert store.get("pbmt", {"seed": 1}) is None
    found = store.put("pbmt", {"seed": 1}, {"sari": 30.5})
    assert store.get("pbmt", {"seed": 1}) == found == {"name": "pbmt", "key": {"seed": 1}, "sari": 30.5}
    assert store.get("pbmt", {"seed": 2}) is None
    assert list(store.all()) == ["pbmt"]
    store.forget()
    assert store.all() == {}


def test_a_run_of_before_an_option_was_there_is_of_its_default(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    store.put("pbmt", {"options": {"rate": 0.1}}, {"sari": 30.5})
    now = {"options": {"warmup": 0, "rate": 0.1}}
    assert store.get("pbmt", now) is None
    assert store.get("pbmt", now, {"warmup": 0, "rate": 1.0}) is not None
    assert store.get("pbmt", now, {"warmup": 9, "rate": 1.0}) is None
    assert store.get("pbmt", {"options": {"warmup": 0, "rate": 1.0}}, {"warmup": 0, "rate": 1.0}) is None


def test_a_table_takes_the_place_of_the_one_before(tmp_path: Path) -> None:
    document = tmp_path / "results.md"
    document.write_text("above\n<!-- made: a -->\nold\nold\n<!-- end: a -->\nbelow\n")
    for _ in range(2):
        put_between_markers(document, "a", markdown(("", "SARI"), [("x", "30.5")]))
        assert document.read_text() == (
            "above\n<!-- made: a -->\n|  | SARI |\n| --- | ---: |\n| x | 30.5 |\n<!-- end: a -->\nbelow\n"
        )
    with pytest.raises(UserError, match="'b' begins"):
        put_between_markers(document, "b", "table")


def test_how_outputs_look() -> None:
    found = output_statistics(["a b c d", "The cat ."], ["a a x", "the cat ."])
    assert found == {"copied": 0.5, "length": 6 / 7, "new": 1 / 6, "repeated": 1 / 6, "again": 0.0}
    assert output_statistics(["a"], [""]) == {"copied": 0.0, "length": 0.0, "new": 0.0, "repeated": 0.0, "again": 0.0}
    assert output_statistics(["a"], ["in the end of the end of the end"])["again"] == 4 / 9


def test_runs_of_other_machines_stand_beside_each_other(tmp_path: Path) -> None:
    store, keys = RunStore(tmp_path), [{"seed": 1, "place": {"processor": name, "threads": 1}} for name in ("A", "B")]
    for key, sari in zip(keys, (40.8, 40.7), strict=True):
        store.put("pbmt-seed1", key, {"row": "pbmt", "sari": sari})
    assert [store.get("pbmt-seed1", key)["sari"] for key in keys] == [40.8, 40.7]  # type: ignore[index]
    assert len(store.all()) == 2


def run(name: str, seed: int, processor: str | None, **more: float) -> RunResult:
    place = {"place": {"processor": processor}} if processor else {}
    return {"name": name, "key": {"seed": seed, **place}, "machine": "an old one", **more}


def test_a_row_is_of_the_machine_with_most_seeds() -> None:
    runs = [run("m", 1, None, sari=30.0), run("m-seed2", 2, "A", sari=33.0), run("m-seed1", 1, "A", sari=31.0)]
    found = {one["name"]: {**one, "row": "m"} for one in runs}
    (row,) = result_rows({**found, "m": runs[0]})
    assert [one["key"]["seed"] for one in row.runs] == [1, 2]
    assert row.mean("sari") == 32.0
    assert row.deviation("sari") == pytest.approx(2**0.5)
    assert [one["sari"] for one in row.elsewhere] == [30.0], "an older file, with what it says"
    assert row.mean("perplexity") is None


def test_draws_are_the_same_sources_for_every_row() -> None:
    values = np.array([10.0, 20.0, 60.0])
    scores = Scores(values)
    first = resampled_scores(scores, METRICS["pinc"])
    assert (first == resampled_scores(scores, METRICS["pinc"])).all()
    low, high = percentile_interval(first)
    assert 10.0 <= low < 30.0 < high <= 60.0
    assert first.mean() == pytest.approx(30.0, abs=1.5)
    kept_as = {"draws": {"sari": kept_line(first)}}
    assert mean_over_seeds([kept_as, kept_as], "sari") == pytest.approx(first, abs=0.001)
    assert mean_over_seeds([kept_as, {}], "sari") is None


def test_noise_knows_nothing_and_comes_again() -> None:
    source = " ".join(f"w{at}" for at in range(200))
    for name in NOISES:
        first = noisy_outputs(name, [source], 1, ["x y z"])
        assert first == noisy_outputs(name, [source], 1, ["x y z"])
        assert first != noisy_outputs(name, [source], 2, ["x y z"])
    assert 140 < len(noisy_outputs("words_dropped", [source], 1, [])[0].split()) < 180
    (replaced,) = noisy_outputs("words_replaced", [source], 1, ["x y z"])
    assert 40 < sum(word in "xyz" for word in replaced.split()) < 80
    assert sorted(noisy_outputs("words_shuffled", [source], 1, [])[0].split()) == sorted(source.split())


def test_a_processor_is_told_from_others_of_its_name() -> None:
    text = "processor\t: 0\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nflags\t: fpu avx avx2 avx512f\n"
    assert describe_processor(text) == "AMD EPYC, family 26 model 2, avx512f"
    assert describe_processor(text.replace(" avx512f", "")) == "AMD EPYC, family 26 model 2, avx2"
    place = hardware_key("cpu")
    assert (place["device"], place["threads"]) == ("cpu", threads())
    assert str(place["processor"]) in machine()


def test_samples_are_tables_that_nothing_breaks() -> None:
    text = sample_tables(["a | b"], {"`m`": ["*x* `y` <z>"], "n": [""]})
    assert "| the source | a \\| b |" in text
    assert r"| `m` | \*x\* \`y\` \<z> |" in text
    assert "| n | (nothing) |" in text
    assert sample_tables([], {}) == ""

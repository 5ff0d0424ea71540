"""What runs found is kept under a key, and the tables find their places in a document."""

from pathlib import Path

import numpy as np
import pytest

from evaluation.metrics import METRICS
from evaluation.metrics._base import Scores
from foundation.errors import UserError
from modelserving.results.drawing import drawn, interval, over_seeds
from modelserving.results.drawing import kept as kept_line
from modelserving.results.kept import Found, Kept
from modelserving.results.laid_out import markdown, put, samples
from modelserving.results.looks import looks
from modelserving.results.machine import described, machine, place_of, threads
from modelserving.results.noise import NOISES, noisy
from modelserving.results.rows import rows_of


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
    assert found == {"copied": 0.5, "length": 6 / 7, "new": 1 / 6, "repeated": 1 / 6, "again": 0.0}
    assert looks(["a"], [""]) == {"copied": 0.0, "length": 0.0, "new": 0.0, "repeated": 0.0, "again": 0.0}
    assert looks(["a"], ["in the end of the end of the end"])["again"] == 4 / 9


def test_runs_of_other_machines_stand_beside_each_other(tmp_path: Path) -> None:
    kept, keys = Kept(tmp_path), [{"seed": 1, "place": {"processor": name, "threads": 1}} for name in ("A", "B")]
    for key, sari in zip(keys, (40.8, 40.7), strict=True):
        kept.put("pbmt-seed1", key, {"row": "pbmt", "sari": sari})
    assert [kept.get("pbmt-seed1", key)["sari"] for key in keys] == [40.8, 40.7]  # type: ignore[index]
    assert len(kept.all()) == 2


def run(name: str, seed: int, processor: str | None, **more: float) -> Found:
    place = {"place": {"processor": processor}} if processor else {}
    return {"name": name, "key": {"seed": seed, **place}, "machine": "an old one", **more}


def test_a_row_is_of_the_machine_with_most_seeds() -> None:
    runs = [run("m", 1, None, sari=30.0), run("m-seed2", 2, "A", sari=33.0), run("m-seed1", 1, "A", sari=31.0)]
    found = {one["name"]: {**one, "row": "m"} for one in runs}
    (row,) = rows_of({**found, "m": runs[0]})
    assert [one["key"]["seed"] for one in row.runs] == [1, 2]
    assert row.mean("sari") == 32.0
    assert row.deviation("sari") == pytest.approx(2**0.5)
    assert [one["sari"] for one in row.elsewhere] == [30.0], "an older file, with what it says"
    assert row.mean("perplexity") is None


def test_draws_are_the_same_sources_for_every_row() -> None:
    values = np.array([10.0, 20.0, 60.0])
    scores = Scores(30.0, values, {}, "", np.column_stack((values, np.ones(3))))
    first = drawn(scores, METRICS["pinc"])
    assert (first == drawn(scores, METRICS["pinc"])).all()
    low, high = interval(first)
    assert 10.0 <= low < 30.0 < high <= 60.0
    assert first.mean() == pytest.approx(30.0, abs=1.5)
    kept_as = {"draws": {"sari": kept_line(first)}}
    assert over_seeds([kept_as, kept_as], "sari") == pytest.approx(first, abs=0.001)
    assert over_seeds([kept_as, {}], "sari") is None


def test_noise_knows_nothing_and_comes_again() -> None:
    source = " ".join(f"w{at}" for at in range(200))
    for name in NOISES:
        first = noisy(name, [source], 1, ["x y z"])
        assert first == noisy(name, [source], 1, ["x y z"])
        assert first != noisy(name, [source], 2, ["x y z"])
    assert 140 < len(noisy("words_dropped", [source], 1, [])[0].split()) < 180
    (replaced,) = noisy("words_replaced", [source], 1, ["x y z"])
    assert 40 < sum(word in "xyz" for word in replaced.split()) < 80
    assert sorted(noisy("words_shuffled", [source], 1, [])[0].split()) == sorted(source.split())


def test_a_processor_is_told_from_others_of_its_name() -> None:
    text = "processor\t: 0\ncpu family\t: 26\nmodel\t\t: 2\nmodel name\t: AMD EPYC\nflags\t: fpu avx avx2 avx512f\n"
    assert described(text) == "AMD EPYC, family 26 model 2, avx512f"
    assert described(text.replace(" avx512f", "")) == "AMD EPYC, family 26 model 2, avx2"
    place = place_of("cpu")
    assert (place["device"], place["threads"]) == ("cpu", threads())
    assert str(place["processor"]) in machine()


def test_samples_are_tables_that_nothing_breaks() -> None:
    text = samples(["a | b"], {"`m`": ["*x* `y` <z>"], "n": [""]})
    assert "| the source | a \\| b |" in text
    assert r"| `m` | \*x\* \`y\` \<z> |" in text
    assert "| n | (nothing) |" in text
    assert samples([], {}) == ""

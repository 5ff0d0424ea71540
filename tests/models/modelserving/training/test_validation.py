"""Scores while a network is trained: which end is better, ties, the mean of the last states, and which metrics."""

import math
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
import torch
from support.tiny_pairs import small, twenty
from torch import nn

from evaluation.metrics import METRICS
from foundation.errors import UserError
from foundation.options import list_options
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.recipe import TrainingRecipe, tune_metrics
from modelserving.training.validation import LastStates, Validation, Validator
from modelserving.transfer import TRANSFERS


class Told(Callbacks):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.points: list[tuple[str, int, float]] = []
        self.scores: list[tuple[str, float, bool]] = []
        self.said: list[str] = []

    def point(self, curve: str, step: int, value: float) -> None:
        self.points.append((curve, step, value))

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        self.scores.append((curve, value, higher_is_better))

    def say(self, line: str) -> None:
        self.said.append(line)


class Number(nn.Module):
    """One weight, which is its own score."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(1))
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))

    def score(self, context: RunContext) -> tuple[float, Sequence[Sample]]:
        return float(self.weight), [Sample("a", f"{float(self.weight):g}", "b")]


def validator(folder: Path, average: int, validation: Validation | None = None) -> tuple[Number, Validator, Told]:
    net, told = Number(), Told(folder)
    validation = validation or Validation("number", net.score)
    return (
        net,
        Validator(net, validation, told, lambda at: weights.write_network(at / weights.FILE, net), average),
        told,
    )


def at(net: Number, value: float) -> None:
    with torch.no_grad():
        net.weight.fill_(value)


@pytest.mark.parametrize(("higher", "value"), [(True, 2.0), (False, 0.5)])
def test_better_is_at_the_better_end_and_of_equal_scores_the_first_stays(higher: bool, value: float) -> None:
    validation = Validation("x", lambda context: (0.0, []), higher)
    assert validation.better(1.0, None)
    assert validation.better(value, 1.0)
    assert not validation.better(1.0, 1.0)
    assert not validation.better(validation.finite(math.nan), 1.0)
    assert validation.better(1.0, validation.finite(math.nan))


def test_the_mean_of_the_last_states_is_kept_where_it_is_better(tmp_path: Path) -> None:
    net, scores, told = validator(tmp_path, 3)
    for step, value in enumerate([9.0, 1.0, 5.0, 0.0], 1):
        at(net, value)
        found = scores.score(1, step, RunContext())
        scores.keep_best()
        kept = float(weights.read(tmp_path / "best" / weights.FILE)["weight"])
        assert float(net.weight) == value  # its own weights are there again
        expected = [9.0, 5.0, 5.0, 2.0][step - 1]  # the first alone; (9 + 1) / 2; 5 and as good; (1 + 5 + 0) / 3
        assert found == kept == expected
    assert told.points == [
        ("number of the mean", 2, 5.0),
        ("number of the mean", 3, 5.0),
        ("number of the mean", 4, 2.0),
    ]
    assert told.scores == [("number", value, True) for value in (9.0, 5.0, 5.0, 2.0)]
    assert ["mean of the last" in line for line in told.said] == [False, True, False, True]


def test_where_less_is_better_so_is_a_lower_mean(tmp_path: Path) -> None:
    net, scores, _ = validator(tmp_path, 2)
    scores.validation = Validation("cost", net.score, higher_is_better=False)
    at(net, 1.0)
    assert scores.score(1, 1, RunContext()) == 1.0
    at(net, 3.0)
    assert scores.score(1, 2, RunContext()) == 2.0
    at(net, 0.5)
    assert scores.score(1, 3, RunContext()) == 0.5


def test_without_a_tune_set_the_mean_is_what_is_kept(tmp_path: Path) -> None:
    net = Number()
    scores = Validator(net, None, Told(tmp_path), lambda to: weights.write_network(to / weights.FILE, net), 2)
    for step, value in enumerate([4.0, 8.0]):
        at(net, value)
        assert scores.score(1, step, RunContext()) is None
        scores.keep_best()
    assert float(weights.read(tmp_path / "best" / weights.FILE)["weight"]) == 6.0


def test_states_are_written_and_read_in_their_order(tmp_path: Path) -> None:
    net, states = Number(), LastStates(3)
    for value in (1.0, 2.0, 3.0, 4.0):
        at(net, value)
        net.seen += 1
        states.add(net)
    states.write(tmp_path)
    again = LastStates(3)
    again.read(tmp_path)
    assert [float(state["weight"]) for state in again.states] == [2.0, 3.0, 4.0]
    with again.mean_in(net):
        assert (float(net.weight), int(net.seen)) == (3.0, 4)  # a count is not averaged
    assert float(net.weight) == 4.0


def test_a_network_is_tuned_by_what_has_a_better_end_and_needs_texts_alone() -> None:
    names = tune_metrics()
    assert {"perplexity", "bleu", "sari", "chrf", "ter", "rouge_l"} <= set(names)
    assert not {"fkgl", "formality", "bertscore", "semantic_similarity", "style_accuracy", "meteor_1_5"} & set(names)
    assert all(METRICS[name].higher_is_better is not None for name in names[1:])
    option = next(one for one in list_options(TrainingRecipe) if one.name == "tune_by")
    assert option.choices == names


def test_the_choices_are_listed_without_anything_heavy() -> None:
    code = (
        "import sys; from modelserving.training.recipe import TrainingRecipe\n"
        "from foundation.options import list_options; list_options(TrainingRecipe)\n"
        "print([name for name in ('torch', 'transformers', 'sklearn', 'spacy', 'scipy') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(("metric", "higher"), [("sari", True), ("ter", False)])
def test_the_tune_set_is_scored_by_the_metric_and_its_better_end(tmp_path: Path, metric: str, higher: bool) -> None:
    told = Told(tmp_path / "run")
    told.folder.mkdir()
    kind = TRANSFERS["seq2seq"]
    given = {"epochs": 4, "hidden": 16, "embedding": 8, "tune_by": metric, "tune_every": 4, "patience": 0}
    data = twenty(tmp_path / "data")
    model = kind.fit(data, small(kind.Options, **given), told)
    assert {(curve, better) for curve, _, better in told.scores} == {(metric, higher)}
    values = [value for _, value, _ in told.scores]
    outputs = list(model.transfer(data.dev.sources, data.direction, kind.Decoding(beam=1)))
    from evaluation.metrics import MetricInput

    own = METRICS[metric].score(MetricInput(list(data.dev.sources), outputs, data.dev.of_each)).corpus
    assert own == pytest.approx(max(values) if higher else min(values))
    assert len(set(values)) > 1


def test_a_metric_that_this_machine_has_not_is_refused_before_anything_is_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(METRICS["meteor"]), "unavailable", lambda self, **_: "METEOR needs WordNet.")
    kind, folder = TRANSFERS["seq2seq"], tmp_path / "run"
    folder.mkdir()
    with pytest.raises(UserError, match="METEOR needs WordNet") as refused:
        kind.fit(twenty(tmp_path / "data"), small(kind.Options, tune_by="meteor"), Callbacks(folder))
    assert refused.value.where == "tune_by"

"""A training's option `devices`: what it may say, which GPUs it then takes, and what its processes see."""

import pytest

from foundation.errors import UserError
from modelserving.ready_models import named_among
from modelserving.training.recipe import TrainingRecipe, gpus_of
from modelserving.training_runs.distributed import seeing

FOUR = [f"cuda:{number}" for number in range(4)]


@pytest.mark.parametrize(("said", "meant"), [("", []), ("0", [0]), ("0,2", [0, 2]), (" 3, 1 ", [3, 1])])
def test_what_it_may_say(said: str, meant: list[int]) -> None:
    assert gpus_of(said) == meant
    assert TrainingRecipe(devices=said).devices == said


@pytest.mark.parametrize("said", ["x", "0;1", "0,", "-1", "cuda:0", "12345", "²", "1,1", "1,01"])
def test_anything_else_is_refused_before_a_training_is_queued(said: str) -> None:
    with pytest.raises(UserError) as refused:
        TrainingRecipe(devices=said)
    assert refused.value.where == "devices"


def test_it_takes_those_and_all_where_it_names_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    assert named_among(FOUR, "") == FOUR
    assert named_among(FOUR, "2,0") == ["cuda:2", "cuda:0"]
    assert named_among(["cpu"], "") == ["cpu"]


def test_one_that_is_not_there_is_a_sentence_with_those_that_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LOCAL_RANK", raising=False)
    with pytest.raises(UserError, match=r"There is no cuda:4 here; the GPUs are: cuda:0, cuda:1, cuda:2, cuda:3\."):
        named_among(FOUR, "0,4")
    with pytest.raises(UserError, match=r"There is no cuda:0 here; the GPUs are: none\."):
        named_among(["cpu"], "0")
    monkeypatch.setenv("LOCAL_RANK", "0")
    with pytest.raises(UserError, match="torchrun gives each process its GPU"):
        named_among(FOUR, "0")


def test_its_processes_see_these_of_the_ones_that_the_worker_sees() -> None:
    assert seeing(["cuda:0", "cuda:2"], {}) == {"CUDA_VISIBLE_DEVICES": "0,2"}
    assert seeing(["cuda:0", "cuda:2"], {"CUDA_VISIBLE_DEVICES": "3,5,7"}) == {"CUDA_VISIBLE_DEVICES": "3,7"}
    assert seeing(["cuda:1"], {"CUDA_VISIBLE_DEVICES": "GPU-a, GPU-b"}) == {"CUDA_VISIBLE_DEVICES": "GPU-b"}
    assert seeing(["cpu", "cpu"], {"CUDA_VISIBLE_DEVICES": "3"}) == {}

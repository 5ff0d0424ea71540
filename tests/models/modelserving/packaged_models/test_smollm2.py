"""SmolLM2 of 135 million numbers, prompted: what transformers itself does with the same weights."""

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from safetensors import safe_open
from support.language_model_server import Served
from support.real_models import real_model, serving
from support.tiny_pairs import SOURCES, WAY, twenty

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from modelserving.interface import Model
from modelserving.prompting.model import PromptedModel
from modelserving.run_context import RunContext
from modelserving.training.callbacks import Callbacks
from modelserving.transfer import TRANSFERS

pytestmark = [pytest.mark.soak, pytest.mark.slow]
NAME = "smollm2-135m"
TENSORS = "785e20b3e653276b0579b744214a1186d730ba80af04f397f642d6432e5e0154"
"""SHA-256 of names and tensors, in the order of names, as transformers 5.24 with gguf 0.19 reads the package's file."""
GIVEN: dict[str, Any] = {"most_tokens": 24, "keep_cut": True, "tune_most": 0}


@pytest.fixture(scope="module")
def folder() -> Path:
    import torch

    torch.set_num_threads(1)
    return real_model(NAME)


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Served]:
    with serving(folder) as found:
        yield found


def fitted(kind: str, tmp_path: Path, **given: Any) -> Model:
    chosen = TRANSFERS[kind].choose_options(given)
    tmp_path.mkdir(exist_ok=True)
    return TRANSFERS[kind].fit(twenty(tmp_path / "data"), chosen, Callbacks(tmp_path / "run", seed=7))


def outputs(model: Model, texts: list[str], kind: str = "prompted") -> list[str]:
    return list(model.transfer(texts, WAY, TRANSFERS[kind].Decoding()))


def test_its_numbers_are_those_that_transformers_reads_of_the_packages_file(folder: Path) -> None:
    whole = sha256()
    with safe_open(folder / "model.safetensors", "np") as file:
        for name in sorted(file.keys()):
            whole.update(name.encode() + file.get_tensor(name).tobytes())
    assert whole.hexdigest() == TENSORS


@pytest.mark.parametrize("examples", [{}, {"system": ""}, {"shots": 3}, {"shots": 3, "choice": "retrieved"}], ids=str)
def test_a_folder_answers_as_an_endpoint_with_the_same_weights(
    folder: Path, server: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, examples: dict[str, Any]
) -> None:
    """Greedy search of ours in batches, and transformers' own of each prompt; token counts are equal too."""
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"lab={server.url} local=1")
    texts = [SOURCES[0], SOURCES[7], SOURCES[13]]
    contexts = [RunContext(), RunContext()]
    own, asked = (
        fitted("prompted", tmp_path / where, **GIVEN, **examples, **place)
        for where, place in (("folder", {"folder": NAME}), ("endpoint", {"endpoint": "lab", "model": NAME}))
    )
    assert isinstance(own, PromptedModel)
    found = outputs(own.within(contexts[0]), texts)
    assert found == outputs(asked.within(contexts[1]), texts)
    assert all(found)
    assert len(server.requests) >= len(texts)
    counted = [(context.usage.input, context.usage.output) for context in contexts]
    assert counted[0] == counted[1]


def test_the_best_words_come_first(folder: Path) -> None:
    """Perplexity of a sentence and of its words in another order: transformers' loss, the first token foretold too."""
    perplexity = METRICS["perplexity_lm"]
    texts = ["The cat sat on the mat.", "Mat the on sat cat the."]
    batch = MetricInput(texts, texts, [], ["a", "a"], ["a", "a"], material=TrainingMaterial())
    scores = perplexity.score(batch, model=NAME, tune_epochs=0)
    assert scores.sentences == pytest.approx([435.6354, 27350.96], rel=1e-4)

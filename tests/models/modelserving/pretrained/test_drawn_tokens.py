"""Texts that are drawn in a batch: by transformers' own probabilities, each by its own chance."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support.tiny_pairs import SOURCES, WAY

from foundation.base_folder import base_folder
from foundation.options import validate_options
from modelserving.pretrained import writing
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.options import GenerationOptions
from modelserving.pretrained.quick_search import QuickSearch
from modelserving.pretrained.writing import DrawnTokens
from modelserving.transfer import TRANSFERS

KINDS = ("t5", "bart", "pegasus")
DRAWS = 20_000


@pytest.mark.parametrize(("temperature", "top_p"), [(1.0, 1.0), (0.5, 1.0), (2.0, 0.8), (1.0, 0.3)])
def test_tokens_come_as_often_as_transformers_says(temperature: float, top_p: float) -> None:
    """The probabilities are those of transformers' own warpers; the draws differ by their rows alone."""
    import transformers

    library: Any = transformers
    scores = torch.randn(1, 12, generator=torch.Generator().manual_seed(3)) * 2
    warped = library.TemperatureLogitsWarper(temperature)(None, scores)
    if top_p < 1:
        warped = library.TopPLogitsWarper(top_p)(None, warped)
    expected = torch.softmax(warped.double(), -1)[0].numpy() * DRAWS
    options = GenerationOptions(sample=True, temperature=temperature, top_p=top_p, seed=8)
    left = DrawnTokens([[row] for row in range(DRAWS)], options)(None, scores.expand(DRAWS, -1))
    assert torch.equal(torch.isfinite(left).sum(-1), torch.ones(DRAWS, dtype=torch.int64))
    found = np.bincount(left.argmax(-1).numpy(), minlength=12)
    there = expected > 0
    assert not found[~there].any()
    statistic = float(((found - expected)[there] ** 2 / expected[there]).sum())
    assert statistic < there.sum() - 1 + 4 * np.sqrt(2 * max(1, there.sum() - 1))  # four deviations of chi-square


def test_the_draws_of_a_text_are_its_own() -> None:
    scores = torch.randn(40, 50, generator=torch.Generator().manual_seed(4))
    rows = [[7, number] for number in range(4)]
    options = GenerationOptions(sample=True, seed=5)

    def drawn(places: list[int]) -> list[list[int]]:
        """Of some of the rows, ten tokens one after the other."""
        each = DrawnTokens([rows[place] for place in places], options)
        taken = [each(None, scores[[step * 4 + place for place in places]]).argmax(-1) for step in range(10)]
        return torch.stack(taken, 1).tolist()  # type: ignore[no-any-return]

    whole = drawn([0, 1, 2, 3])
    assert whole == [drawn([place])[0] for place in range(4)]
    assert whole[::-1] == drawn([3, 2, 1, 0])
    assert drawn([2, 2]) == [whole[2]] * 2
    assert len({tuple(row) for row in whole}) == 4


@pytest.mark.parametrize("kind", KINDS)
def test_one_seed_gives_one_text_whatever_the_batch(
    kind: str, made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from modelserving.pretrained.loading import load_network

    made(kind, **{"initializer_factor" if kind == "t5" else "init_std": 5.0 if kind == "t5" else 0.4})
    folder = base_folder(kind, KINDS)
    model = PretrainedModel("test", load_network(folder), folder, prefix="", read=100)
    decoding = validate_options(
        TRANSFERS["t5"].Decoding, {"longest": 12, "sample": True, "temperature": 1.5, "top_p": 0.95, "seed": 4}
    )
    texts, calls, search = [*SOURCES, f"{SOURCES[0]} " * 20, "she"], [], QuickSearch.written

    def counted(own: QuickSearch, ids: torch.Tensor, *given: Any) -> Any:
        calls.append(len(ids))
        return search(own, ids, *given)

    monkeypatch.setattr(QuickSearch, "written", counted)
    found = {}
    for most in (32, 5, 2, 1):
        monkeypatch.setattr(writing, "TEXTS", most)
        calls.clear()
        found[most] = list(model.transfer(texts, WAY, decoding))
        assert len(calls) >= len(texts) / most
        assert sum(calls) == len(texts)
    assert found[32] == found[5] == found[2] == found[1]
    assert len(set(found[32])) > len(texts) / 2
    monkeypatch.setattr(writing, "TEXTS", 32)
    calls.clear()
    assert list(model.transfer(texts, WAY, decoding)) == found[1]
    assert len(calls) == 1
    assert list(model.transfer(texts[5:9], WAY, decoding)) == found[1][5:9]

"""Words that change places or are left out: against the authors' program of UNTS, and what each draw keeps."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import torch

from modelserving.nets.adversarial_simplifier import drop_words, swap_at, swap_neighbours
from modelserving.training.batches import pad

ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/unts.json").read_text(encoding="utf-8"))


def ids(text: str) -> list[int]:
    return [4 + "abcdefgh".index(word) for word in text.split()]


@pytest.mark.parametrize("case", GOLDEN["noise"])
def test_swaps_at_the_places_that_the_program_drew_give_its_text(
    case: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    words = len(case["text"].split())
    drawn = iter([(place + 0.5) / (words - 1) for place in case["places"]])
    monkeypatch.setattr(torch, "rand", lambda *_, **__: torch.tensor([next(drawn)]))
    found = swap_neighbours(*pad([ids(case["text"])]), share=0.5)
    assert found.tolist() == [ids(case["noised"])]
    assert next(drawn, None) is None, "as many swaps as the program's"


def test_two_neighbours_change_places() -> None:
    rows, _ = pad([[4, 5, 6], [7, 8], [9]])
    assert swap_at(rows, torch.tensor([1, 0, 2])).tolist() == [[4, 6, 5], [8, 7, 0], [9, 0, 0]]


def test_a_text_keeps_its_words_and_one_of_five_its_order() -> None:
    torch.manual_seed(1)
    texts = [list(range(4, 24)), [4, 5, 6, 7, 8], [4, 5, 6, 7, 8, 9], [4]]
    rows, lengths = pad(texts)
    changed = 0
    for _ in range(20):
        found = swap_neighbours(rows, lengths, 0.5)
        assert [sorted(row[: len(text)].tolist()) for row, text in zip(found, texts, strict=True)] == texts
        assert torch.equal(found[[1, 3]], rows[[1, 3]])
        assert not found[rows == 0].any()
        changed += not torch.equal(found[0], rows[0])
    assert changed == 20, "20 words and 10 swaps come back to their order once in thousands"


@pytest.mark.parametrize("case", GOLDEN["drop"])
def test_as_many_words_go_as_in_the_program_and_the_others_keep_their_order(case: dict[str, str]) -> None:
    torch.manual_seed(1)
    text = ids(case["text"])
    rows, lengths = pad([text, text[:2]])
    found, left = drop_words(rows, lengths, 1 / 8)
    assert left.tolist() == [len(case["left"].split()), 2]
    kept = iter(text)
    assert all(word in kept for word in found[0, : left[0]].tolist()), "a subsequence"
    assert found[1, :2].tolist() == text[:2]
    assert not found[1, 2:].any()


def test_each_word_goes_as_often() -> None:
    torch.manual_seed(1)
    rows, lengths = pad([list(range(4, 12))] * 4000 + [[4] * 12])
    found, left = drop_words(rows, lengths, 0.25)
    assert left.tolist() == [6] * 4000 + [9]
    counts = Counter(found[:4000].flatten().tolist())
    # 3,000 of each stay; the standard deviation is sqrt(4000 * 3/4 * 1/4) = 27.4, and 5 of them are 137.
    assert all(abs(counts[word] - 3000) < 137 for word in range(4, 12))

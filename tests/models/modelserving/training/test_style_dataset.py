"""Batches of texts of several styles: shuffled together, or one style at a time and in turn."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from foundation.errors import UserError
from modelserving.neural_transfer.styled import StyledOptions
from modelserving.training import tokenization
from modelserving.training.batches import Rows
from modelserving.training.callbacks import Callbacks
from modelserving.training.process_group import ProcessGroup
from modelserving.training.style_dataset import BalancedBatches, StyledBatches, in_turn, styled_batches
from modelserving.training.tokenization import Vocabularies, WordTokenizer
from modelserving.training.tokenized_dataset import write

FIRST, SECOND = [[10 + i] * (1 + i % 4) for i in range(8)], [[50 + i] * (1 + i % 3) for i in range(5)]


def batches(tmp_path: Path, apart: bool, seed: int = 1, size: int = 2) -> StyledBatches:
    texts = [write(tmp_path / str(i), rows) for i, rows in enumerate((FIRST, SECOND))]
    return StyledBatches(texts, size, seed, apart)


def styles_of(order: Sequence[Rows]) -> list[set[int]]:
    return [set((rows >= len(FIRST)).astype(int).tolist()) for rows in order]


def test_styles_that_stand_apart_take_turns(tmp_path: Path) -> None:
    order = batches(tmp_path, apart=True).order(0)
    assert styles_of(order) == [{0}, {1}, {0}, {0}, {1}, {0}, {1}] or styles_of(order) == [
        {0}, {1}, {0}, {1}, {0}, {1}, {0},
    ]  # fmt: skip
    assert sorted(np.concatenate(order).tolist()) == list(range(13))


@pytest.mark.parametrize(
    ("counts", "wanted"),
    [((3, 3), "ababab"), ((4, 2), "abaaba"), ((1, 4), "bbabb"), ((0, 2), "bb")],
)
def test_turns_are_spread_over_the_epoch(counts: tuple[int, int], wanted: str) -> None:
    each = [[np.array([style]) for _ in range(count)] for style, count in enumerate(counts)]
    assert "".join("ab"[int(rows[0])] for rows in in_turn(each)) == wanted


def test_mixed_batches_hold_both_styles(tmp_path: Path) -> None:
    order = batches(tmp_path, apart=False, size=13).order(0)
    assert styles_of(order) == [{0, 1}]


@pytest.mark.parametrize("size", [2, 4, 5])
def test_balanced_batches_are_half_of_either_style_and_the_smaller_comes_again(tmp_path: Path, size: int) -> None:
    texts = [write(tmp_path / str(i), rows) for i, rows in enumerate((FIRST, SECOND))]
    order = BalancedBatches(texts, size, 1).order(0)
    half = (size + 1) // 2
    assert len(order) == -(-len(FIRST) // half)
    firsts = [row for rows in order for row in rows.tolist() if row < len(FIRST)]
    seconds = [row for rows in order for row in rows.tolist() if row >= len(FIRST)]
    assert sorted(firsts) == list(range(8))
    assert set(seconds) == set(range(8, 13))
    assert all(styles == {0, 1} for styles in styles_of(order))
    assert all(len(rows) <= 2 * half for rows in order)


def test_balanced_batches_by_tokens_have_half_of_them_for_either_style(tmp_path: Path) -> None:
    texts = [write(tmp_path / str(i), rows) for i, rows in enumerate((FIRST, SECOND))]
    made = BalancedBatches(texts, 100, 1, tokens=10)
    order = made.order(0)
    assert {row for rows in order for row in rows.tolist()} == set(range(13))
    for rows in order:
        for style in (0, 1):
            assert made.batch(rows[(rows >= len(FIRST)) == style]).targets.numel() <= 5


@pytest.mark.parametrize("apart", [True, False])
def test_batches_by_tokens_hold_each_text_once_and_styles_as_before(tmp_path: Path, apart: bool) -> None:
    texts = [write(tmp_path / str(i), rows) for i, rows in enumerate((FIRST, SECOND))]
    made = StyledBatches(texts, 100, 1, apart, tokens=10)
    order = made.order(3)
    assert sorted(np.concatenate(order).tolist()) == list(range(13))
    assert all(made.batch(rows).targets.numel() <= 10 for rows in order)
    assert not apart or all(len(styles) == 1 for styles in styles_of(order))


@pytest.mark.parametrize("apart", [True, False])
def test_the_order_is_the_seeds_and_the_epochs(tmp_path: Path, apart: bool) -> None:
    def order(seed: int, epoch: int) -> list[list[int]]:
        return [rows.tolist() for rows in batches(tmp_path, apart, seed).order(epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_the_order_of_balanced_batches_is_the_seeds_and_the_epochs(tmp_path: Path) -> None:
    texts = [write(tmp_path / str(i), rows) for i, rows in enumerate((FIRST, SECOND))]

    def order(seed: int, epoch: int) -> list[list[int]]:
        return [rows.tolist() for rows in BalancedBatches(texts, 4, seed).order(epoch)]

    assert order(1, 0) == order(1, 0)
    assert order(1, 0) != order(1, 1)
    assert order(1, 0) != order(2, 0)


def test_a_text_is_its_own_target_and_tells_its_style(tmp_path: Path) -> None:
    batch = batches(tmp_path, apart=False).batch(np.array([2, 8, 12]))
    assert batch.styles is not None
    assert batch.styles.tolist() == [0, 1, 1]
    assert batch.sources.tolist() == [[12, 12, 12], [50, 0, 0], [54, 54, 0]]
    assert batch.targets.tolist() == [[12, 12, 12, 3], [50, 3, 0, 0], [54, 54, 3, 0]]


def test_empty_and_long_texts_are_left_out(tmp_path: Path) -> None:
    known = tokenization.Vocabulary(["a", "<NUM>"])
    words = Vocabularies(WordTokenizer(lowercase=True, numbers=True), known, known)
    texts = {"x": ["A 7 b", "", "a " * 21], "y": ["a " * 20]}
    made = styled_batches(texts, words, StyledOptions(), Callbacks(tmp_path), ProcessGroup())
    assert made.texts[0][0].tolist() == [4, 5, tokenization.UNKNOWN]
    assert [len(text) for text in made.texts] == [1, 1]
    with pytest.raises(UserError, match="y"):
        styled_batches({"x": ["a"], "y": [""]}, words, StyledOptions(), Callbacks(tmp_path / "other"), ProcessGroup())

"""What a model is shown while it is pretrained: all of the corpus each epoch, with noise of the seed alone."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from foundation.errors import UserError
from modelserving.pretraining.corpus import make_corpus, make_tokenizer
from modelserving.pretraining.training import DenoisingRows, Infilling, SpanCorruption, noise_of

TEXTS = [f"Patient {number} was seen in the ER. There was no fever. All is well today." for number in range(30)]


class Some(NamedTuple):
    train: Sequence[str]
    tune: Sequence[str] = ()


def rows(folder: Path, architecture: str, seed: int = 1, epochs: int = 2) -> tuple[DenoisingRows, int]:
    tokenizer = make_tokenizer(architecture, TEXTS, 300)
    noise = noise_of(architecture, tokenizer)
    pieces = make_corpus(folder, Some(TEXTS), tokenizer, noise.longest(32), True).train
    return DenoisingRows(pieces, noise, seed, epochs * len(pieces)), len(pieces)


@pytest.mark.parametrize("architecture", ["t5", "bart"])
def test_each_epoch_shows_every_piece_with_other_noise(architecture: str, tmp_path: Path) -> None:
    shown, size = rows(tmp_path, architecture)
    assert size > 5
    targets = [sorted(shown[row][1].tolist()) for row in range(2 * size)]
    if architecture == "bart":  # the whole piece is the target
        assert sorted(targets[:size]) == sorted(targets[size:])
        assert targets[:size] != targets[size:]
    first, second = ({tuple(shown[row][0]) for row in part} for part in (range(size), range(size, 2 * size)))
    assert len(first & second) < size / 2


@pytest.mark.parametrize("architecture", ["t5", "bart"])
def test_a_row_is_of_the_seed_alone(architecture: str, tmp_path: Path) -> None:
    shown, size = rows(tmp_path, architecture)
    again, _ = rows(tmp_path, architecture)
    other, _ = rows(tmp_path, architecture, seed=2)
    for row in (2 * size - 1, 0, 3):  # in any order
        assert all(np.array_equal(one, two) for one, two in zip(shown[row], again[row], strict=True))
    assert any(not np.array_equal(shown[row][0], other[row][0]) for row in range(size))
    with pytest.raises(IndexError):
        shown[2 * size]


@pytest.mark.parametrize("architecture", ["t5", "bart"])
def test_no_row_is_longer_than_was_asked(architecture: str, tmp_path: Path) -> None:
    shown, _ = rows(tmp_path, architecture, epochs=20)
    assert max(len(side) for row in range(len(shown)) for side in shown[row]) <= 32


def test_a_tokenizer_without_what_the_noise_needs_is_a_sentence() -> None:
    t5, bart = (make_tokenizer(name, TEXTS, 300) for name in ("t5", "bart"))
    assert isinstance(noise_of("t5", t5), SpanCorruption)
    assert isinstance(noise_of("bart", bart), Infilling)
    with pytest.raises(UserError, match="not a T5"):
        noise_of("t5", bart)
    with pytest.raises(UserError, match="not a BART"):
        noise_of("bart", t5)

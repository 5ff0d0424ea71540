"""A corpus as a model is shown it: inputs with noise and what they were, drawn anew each epoch, from the seed alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from foundation.seeds import generator
from modelserving.denoising.span_corruption import corrupt_spans
from modelserving.denoising.spans import Ids
from modelserving.denoising.text_infilling import infill, permute_sentences
from modelserving.pretraining.corpus import sentences_of
from modelserving.training.tokenized_dataset import TokenizedDataset

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast


class Noise(Protocol):
    """What is done to a piece, and how many tokens of `length` it takes for itself."""

    def longest(self, length: int) -> int: ...

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]: ...


@dataclass(frozen=True)
class SpanCorruption:
    """T5's: `sentinels` in their order, `end` behind inputs and targets."""

    sentinels: Ids
    end: int

    def longest(self, length: int) -> int:
        return length - 1

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]:
        inputs, targets = corrupt_spans(np.concatenate(sentences_of(piece)), self.sentinels, chance)
        return np.append(inputs, self.end), np.append(targets, self.end)


@dataclass(frozen=True)
class Infilling:
    """BART's: sentences in another order, spans masked; `begin` and `end` around inputs and targets."""

    mask: int
    begin: int
    end: int

    def longest(self, length: int) -> int:
        return length - 2

    def __call__(self, piece: Ids, chance: np.random.Generator) -> tuple[Ids, Ids]:
        whole = sentences_of(piece)
        inputs, targets = infill(permute_sentences(whole, chance), self.mask, chance), np.concatenate(whole)
        return self._around(inputs), self._around(targets)

    def _around(self, ids: Ids) -> Ids:
        return np.concatenate([[self.begin], ids, [self.end]]).astype(np.int32)


def noise_of(architecture: str, tokenizer: "PreTrainedTokenizerFast") -> Noise:
    """The noise that the architecture is pretrained by; a UserError where the tokenizer lacks what it takes."""
    if architecture == "t5":
        vocabulary = tokenizer.get_vocab()
        names = [f"<extra_id_{number}>" for number in range(len(vocabulary))]
        count = next(place for place, name in enumerate(names) if name not in vocabulary)
        if count < 2 or tokenizer.eos_token_id is None:
            raise UserError("The tokenizer lacks T5's sentinels, <extra_id_0> and on: this is no T5 to pretrain.")
        return SpanCorruption(
            np.array([vocabulary[name] for name in names[:count]], dtype=np.int32), tokenizer.eos_token_id
        )
    if tokenizer.mask_token_id is None or tokenizer.bos_token_id is None or tokenizer.eos_token_id is None:
        raise UserError("The tokenizer lacks a mask, a begin or an end: this is no BART to pretrain.")
    return Infilling(tokenizer.mask_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id)


class DenoisingRows(Sequence[tuple[Ids, Ids]]):
    """All that a training of `steps` batches is shown, in its order: each epoch every piece once, with new noise."""

    def __init__(self, pieces: TokenizedDataset, noise: Noise, seed: int, rows: int) -> None:
        self.pieces, self.noise, self.seed, self.rows = pieces, noise, seed, rows
        self._order: tuple[int, Ids] = (-1, np.zeros(0, np.int32))

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> tuple[Ids, Ids]:  # type: ignore[override]
        """Inputs (Tx,) and targets (Ty,) of a row; a piece has other noise in each epoch."""
        epoch, place = divmod(range(self.rows)[row], len(self.pieces))
        piece = int(self._order_of(epoch)[place])
        return self.noise(self.pieces[piece], generator(self.seed, "noise", epoch, piece))

    @property
    def keys(self) -> "NDArray[np.int64]":
        """Nothing by which rows would be put in another order, (rows,)."""
        return np.zeros(self.rows, dtype=np.int64)

    def _order_of(self, epoch: int) -> Ids:
        if self._order[0] != epoch:
            self._order = epoch, generator(self.seed, "order", epoch).permutation(len(self.pieces)).astype(np.int32)
        return self._order[1]

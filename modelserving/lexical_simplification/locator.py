"""DECLARE's locator (Luo et al. 2022, section 4.1): p_i = softmax(F x_i), where an encoder makes x_i of piece i."""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn

from modelserving.lexical_simplification.marked_sentences import Sentence
from modelserving.lexical_simplification.piece_encoder import encoded


class Locator(nn.Module):
    """Which words are to be changed."""

    def __init__(self, encoder: Any) -> None:
        super().__init__()
        self.encoder = encoder
        self.classify = nn.Linear(encoder.config.hidden_size, 2)

    def forward(self, sources: Tensor, padding: int) -> Tensor:
        """Logits (n, Tx, 2): kept, changed."""
        logits: Tensor = self.classify(encoded(self.encoder, sources, padding).vectors)
        return logits

    @torch.inference_mode()
    def words(self, sentences: Sequence[Sentence], sources: Tensor, padding: int) -> list[list[bool]]:
        """Which words of each sentence are to be changed: those whose first piece is.

        `sources` (n, Tx) are their pieces with a special one at each end.
        """
        changed = self(sources, padding).float().argmax(-1).tolist()
        return [_first_pieces(one, row) for one, row in zip(sentences, changed, strict=True)]


def _first_pieces(sentence: Sentence, changed: Sequence[int]) -> list[bool]:
    """The answers for the first piece of each word; the first answer is the special piece's before the text."""
    found, at = [], 1
    for word in sentence.words:
        found.append(changed[at] == 1)
        at += len(word)
    return found

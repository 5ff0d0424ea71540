"""DECLARE's locator (Luo et al. 2022, section 4.1): p_i = softmax(F x_i), where an encoder makes x_i of piece i."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import torch
from torch import Tensor, nn

from modelserving.lexical_simplification.word_pieces import Sentence

# DCMN+ (Zhang et al. 2020): which of several options answers a question about a passage.
#
#     G = softmax(A_i W5 A_j^T)     A_ij = relu(G A_j)     B_i = [A_ij, j other than i] W6
#     O_i = g A_i + (1 - g) B_i,    g = sigmoid(A_i W7 + B_i W8 + b)                          (option interaction)
#     M_xy = g M_x + (1 - g) M_y,   g = sigmoid(M_x W13 + M_y W14 + b)                        (bidirectional matching)
#     M_x = max relu(softmax(X W9 Y^T) Y W11)     M_y = max relu(softmax(Y W10 X^T) X W12)
#     score_i = v . [M_pq; M_p,i; M_q,i]
#
# P, Q and A_i are an encoder's states of passage, question and options; max is over their tokens. The selection of a
# passage's sentences is left out: a passage is one sentence here. Options may be fewer than there is room for: missing
# ones count as zero in B_i, and their scores are -inf.
#
# Shapes: t questions, m options, Tp, Tq, Ta tokens, H numbers a token. Masks are True where there is a token.

LOWEST = float("-inf")


@dataclass(frozen=True)
class Tokens:
    """An encoder's states of tokens (..., T, H), and the places where there are tokens (..., T)."""

    vectors: Tensor
    mask: Tensor


class OptionInteraction(nn.Module):
    """Has each option know the others. The weights are named by their numbers in the paper."""

    def __init__(self, size: int, options: int) -> None:
        super().__init__()
        self.w5 = nn.Linear(size, size, bias=False)
        self.w6 = nn.Linear((options - 1) * size, size, bias=False)
        self.w7 = nn.Linear(size, size, bias=False)
        self.w8 = nn.Linear(size, size)

    def forward(self, options: Tokens) -> Tensor:
        """(t, m, Ta, H)."""
        vectors, mask = options.vectors, options.mask
        others = self._others(vectors, mask)  # (t, m, m - 1, Ta, H)
        together = self.w6(others.movedim(2, 3).flatten(3))
        gate = torch.sigmoid(self.w7(vectors) + self.w8(together))
        known: Tensor = gate * vectors + (1 - gate) * together
        return known

    def _others(self, vectors: Tensor, mask: Tensor) -> Tensor:
        """A_ij for each i and its others in order: zero for those that are not there."""
        scores = torch.einsum("tiah,tjbh->tijab", self.w5(vectors), vectors)
        weights = torch.softmax(scores.masked_fill(~_some(mask)[:, None, :, None, :], LOWEST), dim=-1)
        found = torch.relu(torch.einsum("tijab,tjbh->tijah", weights, vectors))
        found = found * mask.any(-1)[:, None, :, None, None]
        each = range(vectors.shape[1])
        return torch.stack([torch.stack([found[:, i, j] for j in each if j != i], 1) for i in each], 1)


class BidirectionalMatching(nn.Module):
    """One vector made of two sequences of tokens."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.w9, self.w10, self.w11, self.w12, self.w13 = (nn.Linear(size, size, bias=False) for _ in range(5))
        self.w14 = nn.Linear(size, size)

    def forward(self, first: Tokens, second: Tokens) -> Tensor:
        """(..., Tx, H) and (..., Ty, H) give (..., H)."""
        of_first = self.w11(_attended(self.w9(first.vectors), second))
        of_second = self.w12(_attended(self.w10(second.vectors), first))
        pooled, other = _highest(of_first, first.mask), _highest(of_second, second.mask)
        gate = torch.sigmoid(self.w13(pooled) + self.w14(other))
        return gate * pooled + (1 - gate) * other


class CoMatching(nn.Module):
    """Scores of options; `options` is how many there may be, at least 2."""

    def __init__(self, size: int, options: int) -> None:
        super().__init__()
        self.interact = OptionInteraction(size, options)
        self.match = BidirectionalMatching(size)
        self.score = nn.Linear(3 * size, 1, bias=False)

    def forward(self, passage: Tokens, question: Tokens, options: Tokens) -> Tensor:
        """Scores (t, m) of options (t, m, Ta, H), for a softmax; -inf where there is no option."""
        known = Tokens(self.interact(options), options.mask)
        passages, questions = (_for_each(one, options.vectors.shape[1]) for one in (passage, question))
        of_both = self.match(passages, questions)
        matched = torch.cat([of_both, self.match(passages, known), self.match(questions, known)], dim=-1)
        scores: Tensor = self.score(matched).squeeze(-1)
        return scores.masked_fill(~options.mask.any(-1), LOWEST)


def _for_each(one: Tokens, options: int) -> Tokens:
    """The same tokens beside each option."""
    return Tokens(one.vectors.unsqueeze(1).expand(-1, options, -1, -1), one.mask.unsqueeze(1).expand(-1, options, -1))


def _attended(queries: Tensor, values: Tokens) -> Tensor:
    scores = queries @ values.vectors.transpose(-1, -2)
    return torch.softmax(scores.masked_fill(~_some(values.mask).unsqueeze(-2), LOWEST), dim=-1) @ values.vectors


def _highest(vectors: Tensor, mask: Tensor) -> Tensor:
    """The highest of relu(vectors) over the tokens there are: zero where there are none."""
    return (torch.relu(vectors) * mask.unsqueeze(-1)).amax(-2)


def _some(mask: Tensor) -> Tensor:
    """The mask, all True where it would be all False: a softmax over nothing is no number."""
    return mask | ~mask.any(-1, keepdim=True)


# A pretrained encoder (BERT) as a part of a network: its last states, and the mask of their places.


class PieceEncoder(Protocol):
    """transformers' encoders: `last_hidden_state` (n, T, H) of `input_ids` and `attention_mask` (n, T)."""

    config: Any

    def __call__(self, *, input_ids: Tensor, attention_mask: Tensor) -> Any: ...


def encoded(encoder: PieceEncoder, ids: Tensor, padding: int) -> Tokens:
    """An encoder's states of ids (n, T); a row of padding alone is read as one piece of padding."""
    mask = ids != padding
    seen = mask.clone()
    seen[:, 0] = True
    return Tokens(encoder(input_ids=ids, attention_mask=seen.long()).last_hidden_state, mask)


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
    """The answers for the first piece of each word; the first answer belongs to the special piece before the text."""
    found, at = [], 1
    for word in sentence.words:
        found.append(changed[at] == 1)
        at += len(word)
    return found

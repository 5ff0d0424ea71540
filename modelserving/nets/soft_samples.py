"""Texts that a gradient goes through: at each place the probabilities of all words stand for a word.

    p_t = softmax((o_t + g) / T)          e_t = sum_w p_tw E_w          g = 0, or Gumbel noise

As the temperature T falls to 0 the mixed embedding e_t becomes that of one word: of the likeliest (Hu et al. 2017,
equation 5) or, with the noise, one that is drawn (Jang, Gu and Poole 2017; Maddison, Mnih and Teh 2017).
"""

import torch
from torch import Tensor

from modelserving.training.vocabulary import END


def soft_words(logits: Tensor, temperature: float, noise: bool = False) -> Tensor:
    """Probabilities (n, V) of logits (n, V) at a temperature above 0; with `noise` a draw of the Gumbel-softmax."""
    logits = logits.float()
    if noise:
        logits = logits - torch.empty_like(logits).exponential_().log()  # -log of an exponential draw is a Gumbel draw
    return torch.softmax(logits / temperature, dim=-1)


def soft_embeddings(probabilities: Tensor, embeddings: Tensor) -> Tensor:
    """The mean of the embeddings (V, E) by the probabilities (..., V): (..., E)."""
    return probabilities @ embeddings


def soft_lengths(words: Tensor) -> Tensor:
    """How many places (n,) texts have whose likeliest words are these (n, T): up to the first END, which counts."""
    ends = words == END
    return torch.where(ends.any(1), ends.int().argmax(1) + 1, words.shape[1])

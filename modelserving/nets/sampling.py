"""Texts drawn word by word. A text's draws depend on the seed and its source alone, not on its neighbours."""

import torch
from torch import Tensor

from foundation.seeds import generator
from modelserving.nets.beam_search import Hypothesis, NextWords
from modelserving.training.batches import Batch
from modelserving.training.network import Network
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END

# Texts that let a gradient through: at each place the probabilities of all words stand for a word.
#
# p_t = softmax((o_t + g) / T)          e_t = sum_w p_tw E_w          g = 0, or Gumbel noise
#
# As the temperature T falls to 0, the mixed embedding e_t becomes that of one word: the likeliest (Hu et al. 2017,
# equation 5) or, with the noise, one that is drawn (Jang, Gu and Poole 2017; Maddison, Mnih and Teh 2017).


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
    """The lengths (n,) of texts with these likeliest words (n, T): up to the first END, which counts."""
    ends = words == END
    return torch.where(ends.any(1), ends.int().argmax(1) + 1, words.shape[1])


@torch.inference_mode()
def sample(net: Network, batch: Batch, options: BeamSearchOptions) -> list[Hypothesis]:
    """Draw a text for each source.

    Args:
        net: The network, in evaluation mode.
        batch: n sources (n, Tx), none of them empty.
        options: Temperature, share of probability, seed and limits; beam and penalties do not count.

    Returns:
        n hypotheses, in the order of the sources, whose score is the log-probability without temperature and shares.
    """
    n = len(batch)
    memory, state = net.start(batch)
    allowed = NextWords(net, batch, options)
    sources = zip(batch.sources.tolist(), batch.source_lengths.tolist(), strict=True)
    draws = [generator(options.seed, "sample", *source[:length]) for source, length in sources]
    found = [Hypothesis([], [], 0.0) for _ in range(n)]
    rows = list(range(n))
    last = torch.full((n,), BEGIN, device=batch.sources.device)
    texts = torch.zeros(n, 0, dtype=torch.int64, device=last.device)
    while rows:
        step = net.step(memory, state, last)
        scores = allowed.allow(step.scores, texts, texts.shape[1] + 1)
        chances = torch.tensor([draws[row].random() for row in rows], dtype=torch.float64, device=last.device)
        last = draw(scores, chances, options.temperature, options.top_p)
        places = -torch.ones_like(last) if step.attention is None else step.attention.argmax(-1)
        _append(found, rows, last, places, scores.gather(1, last.unsqueeze(1))[:, 0])
        keep = (last != END).nonzero()[:, 0]
        rows = [rows[place] for place in keep.tolist()]
        memory, state = ({name: one[keep] for name, one in part.items()} for part in (memory, step.state))
        allowed.keep(keep)
        last = last[keep]
        texts = torch.cat([texts[keep], last.unsqueeze(1)], dim=1)
    return found


def _append(found: list[Hypothesis], rows: list[int], words: Tensor, places: Tensor, scores: Tensor) -> None:
    drawn = zip(rows, words.tolist(), places.tolist(), scores.tolist(), strict=True)
    for row, word, place, score in drawn:
        ids, at, total = found[row]
        more = word != END
        found[row] = Hypothesis(ids + [word] * more, at + [place] * more, total + score)


def draw(scores: Tensor, chances: Tensor, temperature: float, top_p: float) -> Tensor:
    """A word of each row (m,) by its chance in [0, 1).

    The log-probabilities (m, W) are divided by the temperature. The likeliest words are then taken, as few as have
    probabilities that sum to top_p (Holtzman et al. 2020); the word is that at which their sum passes the chance.
    """
    logs, words = torch.sort(scores.double() / temperature, dim=-1, descending=True, stable=True)
    shares = torch.softmax(logs, dim=-1)
    sums = shares.cumsum(-1)
    sums = torch.where(sums - shares < top_p, sums, 0.0).cummax(-1).values
    place = (sums <= chances.unsqueeze(1) * sums[:, -1:]).sum(-1, keepdim=True)
    return words.gather(1, place.clamp_max(words.shape[1] - 1))[:, 0]

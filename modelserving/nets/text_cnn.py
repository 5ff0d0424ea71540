"""Kim's (2014) convolutional classifier of texts, of which one of two styles is told.

    m_kf = max_t relu(b_kf + sum_ij W_kfij x_{t+i, j})          log p(1) / p(0) = w . [m_3; m_4; m_5] + b

Texts are widened with zeros, so there is a window around each word; of an even number of words it begins with the word
before the middle. Words are given as embeddings, so mixed ones of soft samples can be, too.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, pad

from modelserving.training.vocabulary import PAD

WINDOWS = (3, 4, 5)


class TextCnn(nn.Module):
    """With embeddings of its own, and dropout on what the windows found."""

    def __init__(self, words: int, embedding: int, filters: int, dropout: float) -> None:
        super().__init__()
        self.embed = nn.Embedding(words, embedding, padding_idx=PAD)
        self.windows = nn.ModuleList(nn.Conv1d(embedding, filters, size) for size in WINDOWS)
        self.dropout = nn.Dropout(dropout)
        self.logit = nn.Linear(filters * len(WINDOWS), 1)

    def forward(self, embedded: Tensor, lengths: Tensor) -> Tensor:
        """Log-odds (n,) of style 1, of embeddings (n, T, E) of which the first `lengths` (n,) are the text's."""
        places = torch.arange(embedded.shape[1], device=embedded.device)
        there = (places < lengths.to(embedded.device).unsqueeze(1)).unsqueeze(1)  # (n, 1, T)
        given = embedded.transpose(1, 2) * there
        widened = (pad(given, ((size - 1) // 2, size // 2)) for size in WINDOWS)
        found = [(torch.relu(window(one)) * there).amax(-1) for window, one in zip(self.windows, widened, strict=True)]
        logits: Tensor = self.logit(self.dropout(torch.cat(found, dim=-1)))
        return logits[:, 0].float()


def style_loss(logits: Tensor, styles: Tensor) -> Tensor:
    """-log p of the styles (n,), 0 or 1, together, of log-odds (n,) of style 1."""
    return binary_cross_entropy_with_logits(logits, styles.float(), reduction="sum")


def style_entropy(logits: Tensor) -> Tensor:
    """The entropies of both styles' probabilities together, in nats, of log-odds (n,)."""
    return binary_cross_entropy_with_logits(logits, logits.sigmoid(), reduction="sum")

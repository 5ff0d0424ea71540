"""Dai et al.'s (2019) discriminators, section 3.2.2: a Transformer's encoder that reads a mark before the text.

The conditional one is told a style and says whether the text is of it: 0 for no, 1 for yes. The multi-class one says
of which style the text is, style k as k + 1, or that it was moved into another style, 0.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.soft_writing import embed_words
from modelserving.nets.transformer import TransformerSizes
from modelserving.nets.transformer_layers import EncoderLayer
from modelserving.nets.word_places import Places

MOVED, TRUE = 0, 1


class StyleDiscriminator(nn.Module):
    """`places` are those of words that have a position of their own."""

    def __init__(self, sizes: TransformerSizes, styles: int, conditional: bool, places: int) -> None:
        super().__init__()
        size = sizes.hidden
        self.conditional = conditional
        self.embed = nn.Embedding(sizes.source_words, size)
        self.places = Places(places, size)
        self.mark = nn.Parameter(torch.randn(size))
        if conditional:
            self.style = nn.Embedding(styles, size)
        given = size, sizes.heads, sizes.feedforward, sizes.dropout, True
        self.layers = nn.ModuleList(EncoderLayer(*given) for _ in range(sizes.layers))
        self.norm = nn.LayerNorm(size)
        self.output = nn.Linear(size, 2 if conditional else styles + 1)
        for name, weight in self.named_parameters():
            if "linear" in name and weight.dim() > 1:
                nn.init.xavier_uniform_(weight)

    def forward(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """Log-probabilities of the classes (n, 2 or K + 1), of words (n, T) or soft words (n, T, V).

        Args:
            words: The texts with END.
            there: Where they have words, bool (n, T).
            styles: The styles that are asked about (n,); the multi-class one does not look at them.
        """
        read = embed_words(self.embed.weight, words) + self.places(1, words.shape[1] + 1)
        first = [self.mark.expand(len(words), 1, -1)]
        if self.conditional:
            first.append(self.style(styles).unsqueeze(1))
        states = torch.cat([*first, read], dim=1)
        mask = functional.pad(there, (len(first), 0), value=True)[:, None, None]
        for layer in self.layers:
            states = layer(states, mask)
        return torch.log_softmax(self.output(self.norm(states)[:, 0]).float(), dim=-1)

    def loss_of_own(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """-log of how likely the texts are taken to be of these styles (n,), all together."""
        labels = torch.full_like(styles, TRUE) if self.conditional else styles + 1
        return functional.nll_loss(self(words, there, styles), labels, reduction="sum")

    def loss_of_others(self, words: Tensor, there: Tensor, styles: Tensor) -> Tensor:
        """-log of how likely the texts are taken not to be of these styles (n,), all together."""
        labels = torch.full_like(styles, MOVED)
        return functional.nll_loss(self(words, there, styles), labels, reduction="sum")

"""What Surya et al. (2019) tell styles by: the contexts that a decoder attends to while it writes.

A convolutional network (Kim 2014) reads them: of each width some filters, ReLU, the highest value of a text. A
discriminator for each style and a classifier of both have the filters in common.
"""

import torch
from torch import Tensor, nn

WIDTHS = (1, 2, 3, 4, 5)


class ContextCritics(nn.Module):
    """A discriminator says whether contexts that wrote its style came of a text of this style, the other's, or not.

    The classifier says the style of what was written. All give the sum of -log p of the labels.
    """

    def __init__(self, hidden: int, filters: int, styles: int, dropout: float) -> None:
        super().__init__()
        self.convolutions = nn.ModuleList(nn.Conv1d(hidden, filters, width) for width in WIDTHS)
        self.dropout = nn.Dropout(dropout)
        self.discriminators = nn.ModuleList(nn.Linear(len(WIDTHS) * filters, 2) for _ in range(styles))
        self.classifier = nn.Linear(len(WIDTHS) * filters, styles)

    def discriminate(self, contexts: Tensor, lengths: Tensor, style: int, real: bool) -> Tensor:
        """-log p that what wrote the style read a text of it (`real`), or was moved into it."""
        return _loss(self.discriminators[style](self._features(contexts, lengths)), int(real))

    def classify(self, contexts: Tensor, lengths: Tensor, style: int) -> Tensor:
        """-log p of the style."""
        return _loss(self.classifier(self._features(contexts, lengths)), style)

    def _features(self, contexts: Tensor, lengths: Tensor) -> Tensor:
        """(n, W*F) of contexts (n, T, H), of which each text has `lengths` (n,); zeros stand behind a short one.

        A window lies in its text, so what stands beside a text changes nothing of it. In the authors' program windows
        go on into the zeros behind, up to the longest text of the batch.
        """
        short = max(0, WIDTHS[-1] - contexts.shape[1])
        contexts = nn.functional.pad(contexts, (0, 0, 0, short))
        places = torch.arange(contexts.shape[1], device=contexts.device)
        given = contexts.masked_fill((places >= lengths.unsqueeze(1)).unsqueeze(2), 0.0).transpose(1, 2)
        found = []
        for width, convolution in zip(WIDTHS, self.convolutions, strict=True):
            outside = places[: len(places) - width + 1] > (lengths - width).clamp_min(0).unsqueeze(1)
            found.append(torch.relu(convolution(given)).masked_fill(outside.unsqueeze(1), 0.0).amax(-1))
        kept: Tensor = self.dropout(torch.cat(found, dim=1))
        return kept


def _loss(logits: Tensor, label: int) -> Tensor:
    labels = torch.full((len(logits),), label, device=logits.device)
    return nn.functional.cross_entropy(logits.float(), labels, reduction="sum")

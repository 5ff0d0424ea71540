"""Words left out of a text at random, against copying (Dai et al. 2019, section 4.4; Lample et al. 2018)."""

import torch
from torch import Tensor

from modelserving.training.vocabulary import END, PAD


def drop_words(texts: Tensor, share: float) -> Tensor:
    """Texts with END (n, T) of which each word but END is left out with that probability; the others move up."""
    if not share:
        return texts
    words = (texts != PAD) & (texts != END)
    dropped = words & (torch.rand(texts.shape, device=texts.device) < share)
    order = torch.argsort(dropped.long(), dim=1, stable=True)
    return texts.masked_fill(dropped, PAD).gather(1, order)

"""Positions of words that are learnt; a mark that stands before the words has none."""

import torch
from torch import Tensor, nn


class Places(nn.Module):
    """An embedding of `most` positions. Words that stand further on have the last one's: any length can be read."""

    def __init__(self, most: int, size: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(most, size))
        nn.init.normal_(self.weight)

    def forward(self, begin: int, end: int) -> Tensor:
        """Of the places from `begin` to before `end` (T, H), of which place 0 is the mark's: zeros."""
        places = torch.arange(begin, end, device=self.weight.device)
        learnt = self.weight[(places - 1).clamp(0, len(self.weight) - 1)]
        return learnt * (places > 0).unsqueeze(1)

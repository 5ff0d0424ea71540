"""Sampling in a batch such that each text's tokens come of its own chance: none knows its neighbours.

transformers' own sampling draws the tokens of all texts of a batch from one generator, so a text would change with
those beside it. Here the draw comes before: of the scores of the next tokens only the drawn one's is left, which greedy
search then takes. It comes behind transformers' own rules (shortest length, no repetition, forced tokens).
"""

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor
from transformers import LogitsProcessor

from foundation.seeds import generator
from modelserving.nets.sampling import draw
from modelserving.pretrained.options import GenerationOptions


class DrawnTokens(LogitsProcessor):
    """A text's chance comes from the seed and its row of ids."""

    def __init__(self, rows: Sequence[Sequence[int]], options: GenerationOptions) -> None:
        self.options = options
        self.chances = [generator(options.seed, "sample", *map(int, row)) for row in rows]

    def __call__(self, input_ids: Any, scores: Any) -> Any:
        """Of scores (n, V) all but the drawn token's are -inf; n texts in the order of the rows."""
        chances = torch.tensor([one.random() for one in self.chances], dtype=torch.float64, device=scores.device)
        drawn: Tensor = draw(scores, chances, self.options.temperature, self.options.top_p)
        return torch.full_like(scores, -torch.inf).scatter(1, drawn.unsqueeze(1), 0.0)

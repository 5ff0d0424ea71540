"""A bidirectional LSTM encoder. Each direction runs over padded texts: the backward one over texts turned round."""

import torch
from torch import Tensor, nn

from modelserving.training.precision import in_float32


class Encoder(nn.Module):
    """`layers` of both directions, with dropout on what goes into each."""

    def __init__(self, embed: nn.Embedding, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.embed = embed
        self.dropout = nn.Dropout(dropout)
        sizes = [embed.embedding_dim, *[2 * hidden] * (layers - 1)]
        self.forwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)
        self.backwards = nn.ModuleList(nn.LSTM(size, hidden, batch_first=True) for size in sizes)

    def forward(self, ids: Tensor, lengths: Tensor) -> tuple[Tensor, Tensor]:
        """States (n, Tx, 2H), of no meaning at padding, and the last ones of both directions (n, 2H)."""
        lengths = lengths.to(ids.device)
        places = torch.arange(ids.shape[1], device=ids.device)
        turned = lengths.unsqueeze(1) - 1 - places  # (n, Tx): below nought at padding, which stays where it is
        turned = torch.where(turned < 0, places, turned).unsqueeze(2)
        states = self.embed(ids)
        for forward, other in zip(self.forwards, self.backwards, strict=True):
            states = self.dropout(states)
            there, _ = in_float32(forward, states)
            back, _ = in_float32(other, _turn(states, turned))
            states = torch.cat([there, _turn(back, turned)], dim=-1)
        size = states.shape[-1] // 2
        last = states[torch.arange(len(ids), device=ids.device), lengths - 1, :size]
        return states, torch.cat([last, states[:, 0, size:]], dim=-1)


def _turn(states: Tensor, turned: Tensor) -> Tensor:
    return torch.gather(states, 1, turned.expand(-1, -1, states.shape[-1]))

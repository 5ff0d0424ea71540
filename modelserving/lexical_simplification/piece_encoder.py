"""A pretrained encoder (BERT) as a part of a network: its last states, and where there are any."""

from typing import Any, Protocol

from torch import Tensor

from modelserving.nets.co_matching import Tokens


class PieceEncoder(Protocol):
    """transformers' encoders: `last_hidden_state` (n, T, H) of `input_ids` and `attention_mask` (n, T)."""

    config: Any

    def __call__(self, *, input_ids: Tensor, attention_mask: Tensor) -> Any: ...


def encoded(encoder: PieceEncoder, ids: Tensor, padding: int) -> Tokens:
    """What an encoder makes of ids (n, T); rows of padding alone are read as one piece of it."""
    mask = ids != padding
    seen = mask.clone()
    seen[:, 0] = True
    return Tokens(encoder(input_ids=ids, attention_mask=seen.long()).last_hidden_state, mask)

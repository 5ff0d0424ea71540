"""The operations of attention, against PyTorch's own counter."""

import pytest
from torch.utils import flop_counter

from tools.gpucheck.measured import attention_gradient_operations, attention_operations

QUERY, KEY, VALUE = (2, 8, 5, 16), (2, 8, 7, 16), (2, 8, 7, 12)
GRADIENT = (2, 8, 5, 12)


def test_they_are_pytorchs():
    assert attention_operations(QUERY, KEY, VALUE, None, 0.0) == flop_counter.sdpa_flop_count(QUERY, KEY, VALUE)
    theirs = flop_counter.sdpa_backward_flop_count(GRADIENT, QUERY, KEY, VALUE)
    assert attention_gradient_operations(GRADIENT, QUERY, KEY, VALUE) == theirs


@pytest.mark.parametrize("heads", [1, 2, 8])
def test_keys_with_fewer_heads_count_as_repeated_ones(heads):
    """Llama's: a PyTorch that refused them left its training without a row."""
    fewer = ((2, heads, 7, 16), (2, heads, 7, 12))
    assert attention_operations(QUERY, *fewer) == attention_operations(QUERY, KEY, VALUE)
    assert attention_gradient_operations(GRADIENT, QUERY, *fewer) == attention_gradient_operations(
        GRADIENT, QUERY, KEY, VALUE
    )

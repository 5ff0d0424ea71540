"""A process that trains takes the optimizers' steps as PyTorch writes them, and does not load its compiler."""

import json
import subprocess
import sys

import pytest

STEPS = """
import json, sys
import modelserving.training.gradients
import torch
from foundation.no_compiler import spare_compiler
spare_compiler()
told = {}
for name, given in (("SGD", {}), ("Adam", {"fused": True}), ("AdamW", {"weight_decay": 0.5})):
    torch.manual_seed(3)
    weight = torch.nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = getattr(torch.optim, name)([weight], lr=0.1, **given)
    for _ in range(2):
        optimizer.zero_grad()
        (weight * torch.tensor([3.0, 4.0])).sum().backward()
        optimizer.step()
        optimizer.load_state_dict(optimizer.state_dict())
    told[name] = [weight.tolist(), weight.requires_grad and weight.is_leaf]
told["drawn"] = torch.rand(1).item() == torch.rand(1, generator=torch.Generator().manual_seed(3)).item()
told["loaded"] = [name for name in ("torch._dynamo", "sympy") if name in sys.modules]
print(json.dumps(told))
"""


def test_steps_are_those_of_the_optimizers_and_load_no_compiler() -> None:
    """Of a gradient that stays the same Adam's steps are as long as the rate; decay is a share of the weight before."""
    done = subprocess.run([sys.executable, "-c", STEPS], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert told["SGD"] == [pytest.approx([1 - 0.3 - 0.3, -2 - 0.4 - 0.4]), True]
    assert told["Adam"] == [pytest.approx([1 - 0.1 - 0.1, -2 - 0.1 - 0.1]), True]
    first, second = (weight * 0.95 - 0.1 for weight in (1.0, -2.0))
    assert told["AdamW"] == [pytest.approx([first * 0.95 - 0.1, second * 0.95 - 0.1]), True]
    assert told["drawn"]
    assert told["loaded"] == []

import pytest
import torch
from torch import nn

from modelserving.nets.gru import Gru


@pytest.mark.parametrize("told", [True, False])
@pytest.mark.parametrize(("n", "steps"), [(3, 6), (1, 1)])
def test_it_is_pytorchs_in_states_and_gradients(n, steps, told):
    torch.manual_seed(1)
    ours, theirs = Gru(5, 4), nn.GRU(5, 4, bias=False, batch_first=True)
    theirs.load_state_dict(ours.state_dict())
    given, first, weights = torch.randn(n, steps, 5), torch.randn(1, n, 4), torch.randn(n, steps, 4)
    found = []
    for one in (ours, theirs):
        inputs, state = given.clone().requires_grad_(), first.clone().requires_grad_()
        states, last = one(inputs, state) if told else one(inputs)
        ((states * weights).sum() + last.pow(2).sum()).backward()
        found.append([states, last, inputs.grad, *(each.grad for each in one.parameters()), *([state.grad] * told)])
    for mine, yours in zip(*found, strict=True):
        torch.testing.assert_close(mine, yours, atol=1e-5, rtol=1e-5)


def test_its_gradients_are_those_of_small_steps():
    torch.manual_seed(2)
    gru = Gru(3, 2).double()
    inputs = [torch.randn(*size, dtype=torch.float64, requires_grad=True) for size in ((2, 4, 3), (1, 2, 2))]
    assert torch.autograd.gradcheck(gru, inputs)


def test_without_gradients_the_states_are_the_same():
    gru, given = Gru(3, 2), torch.randn(2, 4, 3)
    with torch.no_grad():
        quick = gru(given)[0]
    torch.testing.assert_close(gru(given)[0], quick, atol=1e-6, rtol=1e-6)

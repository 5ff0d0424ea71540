"""All steps of a GRU without biases, with gradients derived by hand; time comes first, (T, n, ...).

    r, z = sigmoid(G_t^{rz} + R^{rz} h_{t-1})   m = R^n h_{t-1}   c = tanh(G_t^n + r m)   h_t = c + z (h_{t-1} - c)

It is PyTorch's GRU: its weights, in its order. As in `recurrent.py`, everything that does not depend on the step before
is computed for all steps at once: the inputs' part G of the gates, the factors of the gradients, the gradients of
weights.
"""

from typing import Any, cast

import torch
from torch import Tensor, nn

from modelserving.training.network import in_float32


class Gru(nn.GRU):
    """One layer, one direction, the batch first; on a GPU PyTorch's own, which is quicker there."""

    def __init__(self, inputs: int, hidden: int) -> None:
        super().__init__(inputs, hidden, bias=False, batch_first=True)

    def forward(self, given: Tensor, state: Tensor | None = None) -> tuple[Tensor, Tensor]:  # type: ignore[override]
        """States (n, T, H) and the last ones (1, n, H), from inputs (n, T, E) and a first state (1, n, H), else 0."""
        found: tuple[Tensor, Tensor] = in_float32(self._states, given, state)
        return found

    def _states(self, given: Tensor, state: Tensor | None) -> tuple[Tensor, Tensor]:
        if given.is_cuda or not torch.is_grad_enabled():
            return super().forward(given, state)
        first = given.new_zeros(len(given), self.hidden_size) if state is None else state[0]
        gates = given.transpose(0, 1) @ cast(Tensor, self.weight_ih_l0).t()
        states = cast(Tensor, _Unroll.apply(gates, first, self.weight_hh_l0))  # type: ignore[no-untyped-call]
        return states.transpose(0, 1), states[-1:]


class _Unroll(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, gates: Tensor, first: Tensor, recurrent: Tensor) -> Tensor:
        steps, n, size = gates.shape[0], *first.shape
        states, both = gates.new_empty(steps + 1, n, size), gates.new_empty(steps, n, 2 * size)
        mixed, new = gates.new_empty(steps, n, size), gates.new_empty(steps, n, size)
        states[0] = first
        to_both, to_mixed = torch.split(recurrent.t(), [2 * size, size], dim=1)
        # A step is indexed in a tuple: indexing a tensor takes longer than the arithmetic of so few numbers.
        state_at, both_at, mixed_at, new_at = map(torch.unbind, (states, both, mixed, new))
        of_both, of_new = map(torch.unbind, torch.split(gates, [2 * size, size], dim=2))
        reset, update = map(torch.unbind, torch.split(both, size, dim=2))
        for t in range(steps):
            torch.addmm(of_both[t], state_at[t], to_both, out=both_at[t]).sigmoid_()
            torch.mm(state_at[t], to_mixed, out=mixed_at[t])
            torch.addcmul(of_new[t], reset[t], mixed_at[t], out=new_at[t]).tanh_()
            torch.lerp(new_at[t], state_at[t], update[t], out=state_at[t + 1])
        ctx.save_for_backward(states, both, mixed, new, recurrent)
        return states[1:].clone()

    @staticmethod
    def backward(ctx: Any, d_states: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        states, both, mixed, new, recurrent = ctx.saved_tensors
        size = states.shape[2]
        resets, updates = torch.split(both, size, dim=2)
        to_new = torch.unbind((1 - updates) * (1 - new * new))
        to_update = torch.unbind((states[:-1] - new) * updates * (1 - updates))
        to_reset = torch.unbind(mixed * resets * (1 - resets))
        reset, update, d_state = map(torch.unbind, (resets, updates, d_states))
        d_heard, d_new = states.new_empty(*both.shape[:2], 3 * size), torch.empty_like(new)
        heard, d_new_at = torch.unbind(d_heard), torch.unbind(d_new)
        d_reset, d_update, d_mixed = map(torch.unbind, torch.split(d_heard, size, dim=2))
        carried = torch.zeros_like(states[0])
        for t in range(len(heard) - 1, -1, -1):
            carried += d_state[t]
            torch.mul(carried, to_new[t], out=d_new_at[t])
            torch.mul(d_new_at[t], to_reset[t], out=d_reset[t])
            torch.mul(carried, to_update[t], out=d_update[t])
            torch.mul(d_new_at[t], reset[t], out=d_mixed[t])
            carried = torch.addmm(carried.mul_(update[t]), heard[t], recurrent)
        d_recurrent = d_heard.flatten(0, 1).t() @ states[:-1].flatten(0, 1)
        return torch.cat((d_heard[:, :, : 2 * size], d_new), dim=2), carried, d_recurrent

"""All steps of an attending LSTM decoder whose words are known, with their gradients worked out by hand.

What does not wait for the step before is done for all steps at once, before or after the loop: the embeddings' part of
the gates, keys, the combining of values, and all gradients of weights. Time stands first: (Ty, n, ...).

    [i f o g]_t = G_t + R [a_{t-1}; h_{t-1}]     c_t = f c_{t-1} + i g     h_t = o tanh(c_t)     [q; z]_t = P h_t
    s_t = v . tanh(q_t + K)                      A_t = softmax(s_t)        a_t = tanh(z_t + A_t U)
"""

from typing import Any, cast

import torch
from torch import Tensor

from modelserving.training.precision import in_float32

KEPT = 1 << 26  # numbers of tanh(q + K) that are kept for the gradients; beyond it they are worked out again


def teacher_forced_states(
    gates: Tensor, state: tuple[Tensor, Tensor, Tensor], keys: Tensor, values: Tensor, bias: Tensor,
    recurrent: Tensor, project: Tensor, energy: Tensor,
) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
    """a, h (Ty, n, H) and A (Ty, n, Tx) of gates G (Ty, n, 4H) and the state before the first step: h, c, a (n, H).

    Keys K and combined values U (n, Tx, H); bias (n, Tx) is -inf at padding; R (4H, 2H), P (2H, H), v (H,).
    """
    found = in_float32(_Unroll.apply, gates, *state, keys, values, bias, recurrent, project, energy)
    return cast(tuple[Tensor, Tensor, Tensor], found)


class _Unroll(torch.autograd.Function):
    @staticmethod
    @torch.amp.custom_fwd(device_type="cuda", cast_inputs=torch.float32)  # type: ignore[untyped-decorator]
    def forward(
        ctx: Any, gates: Tensor, hidden: Tensor, cell: Tensor, fed: Tensor, keys: Tensor, values: Tensor, bias: Tensor,
        recurrent: Tensor, project: Tensor, energy: Tensor,
    ) -> tuple[Tensor, Tensor, Tensor]:  # fmt: skip
        steps, n, size = gates.shape[0], *hidden.shape
        width = keys.shape[1]
        inputs, cells = gates.new_empty(steps + 1, n, 2 * size), gates.new_empty(steps + 1, n, size)
        acts, tanhs = torch.empty_like(gates), gates.new_empty(steps, n, size)
        attention = gates.new_empty(steps, n, width)
        keep = any(ctx.needs_input_grad) and steps * n * width * size <= KEPT
        kept = gates.new_empty(steps if keep else 1, n, width, size)
        inputs[0, :, :size], inputs[0, :, size:], cells[0] = fed, hidden, cell
        across, onwards = recurrent.t(), project.t()
        for t in range(steps):
            act, after, now = acts[t], inputs[t + 1], cells[t + 1]
            torch.addmm(gates[t], inputs[t], across, out=act)
            act[:, : 3 * size].sigmoid_()
            act[:, 3 * size :].tanh_()
            torch.mul(act[:, size : 2 * size], cells[t], out=now)
            now.addcmul_(act[:, :size], act[:, 3 * size :])
            torch.tanh(now, out=tanhs[t])
            torch.mul(act[:, 2 * size : 3 * size], tanhs[t], out=after[:, size:])
            both = torch.mm(after[:, size:], onwards)
            felt = kept[t if keep else 0]
            torch.add(keys, both[:, None, :size], out=felt).tanh_()
            scores = torch.mv(felt.view(-1, size), energy).view(n, width).add_(bias)
            torch.softmax(scores, dim=-1, out=attention[t])
            mixed = torch.baddbmm(both[:, None, size:], attention[t].unsqueeze(1), values)
            torch.tanh(mixed[:, 0], out=after[:, :size])
        ctx.save_for_backward(acts, inputs, cells, tanhs, attention, keys, values, recurrent, project, energy)
        ctx.kept = kept if keep else None
        return inputs[1:, :, :size].clone(), inputs[1:, :, size:].clone(), attention.clone()

    @staticmethod
    @torch.amp.custom_bwd(device_type="cuda")  # type: ignore[untyped-decorator]
    def backward(ctx: Any, d_fed: Tensor, d_after: Tensor, d_attention: Tensor) -> tuple[Tensor | None, ...]:
        acts, inputs, cells, tanhs, attention, keys, values, recurrent, project, energy = ctx.saved_tensors
        steps, n, size = tanhs.shape
        d_gates, d_both = torch.empty_like(acts), tanhs.new_empty(steps, n, 2 * size)
        d_scores, d_keys = torch.empty_like(attention), torch.zeros_like(keys)
        d_energy, d_cell = tanhs.new_zeros(n, 1, size), tanhs.new_zeros(n, size)
        carried = tanhs.new_zeros(n, 2 * size)
        three, back = acts.new_empty(n, 3 * size), -energy
        for t in range(steps - 1, -1, -1):
            act, after = acts[t], inputs[t + 1]
            mixed = torch.ops.aten.tanh_backward(d_fed[t] + carried[:, :size], after[:, :size])
            d_both[t, :, size:] = mixed
            weights = torch.bmm(values, mixed.unsqueeze(2)).squeeze(2).add_(d_attention[t])
            score = torch._softmax_backward_data(weights, attention[t], -1, weights.dtype)
            d_scores[t] = score
            felt = _felt(ctx.kept, t, keys, after[:, size:], project[:size])
            d_energy.baddbmm_(score.unsqueeze(1), felt)
            squared = felt.square()
            d_keys.addcmul_(score.unsqueeze(2), squared)
            # The gradients of a softmax's inputs sum to nought: of (1 - tanh^2) only the square is left.
            torch.mul(torch.bmm(score.unsqueeze(1), squared)[:, 0], back, out=d_both[t, :, :size])
            d_hidden = torch.addmm(d_after[t] + carried[:, size:], d_both[t], project)
            d_cell = d_cell + torch.ops.aten.tanh_backward(d_hidden * act[:, 2 * size : 3 * size], tanhs[t])
            torch.mul(d_cell, act[:, 3 * size :], out=three[:, :size])
            torch.mul(d_cell, cells[t], out=three[:, size : 2 * size])
            torch.mul(d_hidden, tanhs[t], out=three[:, 2 * size :])
            d_gates[t, :, : 3 * size] = torch.ops.aten.sigmoid_backward(three, act[:, : 3 * size])
            d_gates[t, :, 3 * size :] = torch.ops.aten.tanh_backward(d_cell * act[:, :size], act[:, 3 * size :])
            d_cell = d_cell * act[:, size : 2 * size]
            carried = torch.mm(d_gates[t], recurrent)
        d_keys = (d_scores.sum(0).unsqueeze(2) - d_keys) * energy
        d_values = torch.bmm(attention.permute(1, 2, 0), d_both[:, :, size:].transpose(0, 1))
        d_recurrent = d_gates.flatten(0, 1).t() @ inputs[:-1].flatten(0, 1)
        d_project = d_both.flatten(0, 1).t() @ inputs[1:, :, size:].flatten(0, 1)
        return (
            d_gates, carried[:, size:], d_cell, carried[:, :size], d_keys, d_values, None,
            d_recurrent, d_project, d_energy.sum((0, 1)),
        )  # fmt: skip


def _felt(kept: Tensor | None, t: int, keys: Tensor, hidden: Tensor, query: Tensor) -> Tensor:
    """tanh(q + K) of a step (n, Tx, H)."""
    return kept[t] if kept is not None else torch.tanh(keys + (hidden @ query.t()).unsqueeze(1))

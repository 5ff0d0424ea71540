"""bfloat16 for matrix products, float32 for recurrent networks and all that is kept."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from modelserving.nets.recurrent import (
    AttentionNetwork,
    NetworkWithoutAttention,
    PointerNetwork,
    SentinelNetwork,
    Shape,
)
from modelserving.nets.style_networks import MultiDecoder, Sizes, StyleEmbedding
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Network, autocast, float32_products, in_float32

SHAPE, SIZES = Shape(12, 12, 6, 5), Sizes(12, 6, 5, 4)
NETWORKS: list[Callable[[], Network]] = [
    lambda: AttentionNetwork(SHAPE), lambda: NetworkWithoutAttention(SHAPE), lambda: PointerNetwork(SHAPE),
    lambda: SentinelNetwork(SHAPE), lambda: MultiDecoder(SIZES), lambda: StyleEmbedding(SIZES),
]  # fmt: skip


def batch() -> Batch:
    copied, _ = pad([[4, 5, 6], [7, 12]])
    aimed, _ = pad([[9, 4], [10, 12, 5]], end=True)
    return Batch(
        *pad([[4, 5, 6], [7, 8]]), *pad([[9, 4], [10, 11, 5]], end=True), styles=torch.tensor([0, 1]), copied=copied,
        aimed=aimed, copies=1,
    )  # fmt: skip


@pytest.mark.parametrize("build", NETWORKS)
def test_recurrent_modules_stay_in_float32_under_autocast(build: Callable[[], Network]) -> None:
    """Without it LSTMs take bfloat16 here, and float16 on a GPU, where no loss is scaled."""
    torch.manual_seed(1)
    net, seen = build(), dict[str, list[Any]]()

    def look(module: nn.Module, given: Any, found: Any) -> None:
        tensors = [*_tensors(given), *_tensors(found)]
        seen.setdefault(type(module).__name__, []).extend(one.dtype for one in tensors)

    for module in net.modules():
        if isinstance(module, (nn.RNNBase, nn.RNNCellBase, nn.Linear)):
            module.register_forward_hook(look)
    whole = net.losses(batch())
    seen.clear()
    with autocast("cpu", "bfloat16"):
        found = net.losses(batch())
        state = net.start(batch())
        net.step(state.memory, state.state, torch.tensor([1, 1]))
    recurrent = {name: kinds for name, kinds in seen.items() if name != "Linear"}
    assert recurrent
    assert {kind for kinds in recurrent.values() for kind in kinds} == {torch.float32}
    assert torch.bfloat16 in seen["Linear"]
    for low, full in zip(found, whole, strict=True):
        assert low.total.dtype == torch.float32
        torch.testing.assert_close(low.total, full.total, rtol=0.02, atol=0.02)
        low.total.backward(retain_graph=True)
    assert {one.grad.dtype for one in net.parameters() if one.grad is not None} == {torch.float32}


def _tensors(given: Any) -> list[Tensor]:
    if isinstance(given, Tensor):
        return [given] if given.is_floating_point() else []
    return [one for part in given or () for one in _tensors(part)]


def test_autocast_alone_would_run_an_lstm_in_bfloat16() -> None:
    lstm, given = nn.LSTM(4, 3), torch.randn(2, 1, 4)
    with autocast("cpu", "bfloat16"):
        with contextlib.suppress(RuntimeError):  # oneDNN has no LSTM in bfloat16 for every processor
            assert lstm(given)[0].dtype == torch.bfloat16
        assert in_float32(lstm, given.bfloat16())[0].dtype == torch.float32
        assert torch.is_autocast_enabled("cpu")


def test_by_itself_a_processor_works_in_float32() -> None:
    linear, given = nn.Linear(4, 3), torch.randn(2, 4)
    with autocast("cpu"):
        assert linear(given).dtype == torch.float32
    with autocast("cpu", "float32"):
        assert linear(given).dtype == torch.float32
    with autocast("cpu", "bfloat16"):
        assert linear(given).dtype == torch.bfloat16


@pytest.mark.parametrize(("has", "expected"), [(True, torch.bfloat16), (False, None)])
def test_a_gpu_without_bfloat16_works_in_float32(
    monkeypatch: pytest.MonkeyPatch, has: bool, expected: torch.dtype | None
) -> None:
    monkeypatch.setattr(torch.cuda, "is_bf16_supported", lambda including_emulation=True: has)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    context = autocast("cuda:0")
    assert getattr(context, "fast_dtype", None) == expected


@pytest.mark.parametrize(
    ("precision", "expected"), [("auto", "tf32"), ("tf32", "tf32"), ("bfloat16", "tf32"), ("float32", "ieee")]
)
def test_a_gpus_float32_products_are_tf32s_unless_float32_is_asked_for(precision: str, expected: str) -> None:
    kinds = (torch.backends.cuda.matmul, torch.backends.cudnn.rnn)
    before = [kind.fp32_precision for kind in kinds]
    with contextlib.suppress(KeyError), float32_products("cuda:0", precision):
        inside = [kind.fp32_precision for kind in kinds]
        raise KeyError
    assert inside == [expected] * 2
    assert [kind.fp32_precision for kind in kinds] == before
    with float32_products("cpu", precision):
        assert [kind.fp32_precision for kind in kinds] == before

"""Products by oneDNN and the quick tangent, held to PyTorch's own (torch.nn.functional, torch.tanh, nn.LSTMCell)."""

from collections.abc import Callable

import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional

from modelserving.nets.recurrent import AttentionNetwork, PointerNetwork, Shape
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training import products
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Network

pytestmark = pytest.mark.skipif(not products.NATIVE, reason="PyTorch has no oneDNN on this machine")
CLOSE = {"rtol": 1e-5, "atol": 1e-5}
SOURCES, TARGETS = [[4, 5, 6], [7, 8, 9, 10, 11], [5]], [[4, 5], [6, 7, 8], [9, 4, 4, 4]]
COPIED, AIMED = [[4, 5, 6], [7, 20, 9, 10, 11], [5]], [[4, 5], [6, 20, 8], [9, 4, 4, 4]]


@pytest.fixture
def all_by_onednn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "LARGE", 0)
    monkeypatch.setattr(products, "MANY", 0)


@pytest.mark.usefixtures("all_by_onednn")
@pytest.mark.parametrize("part", [slice(None), slice(2, 7)], ids=["whole", "a part of another matrix"])
@pytest.mark.parametrize("relu", [False, True])
def test_a_linear_layer_and_its_gradients_are_those_of_pytorch(part: slice, relu: bool) -> None:
    torch.manual_seed(0)
    given, weight, bias = torch.randn(3, 4, 9), torch.randn(5, 9), torch.randn(5)
    wanted, slope = [one.requires_grad_() for one in (given, weight, bias)], torch.randn(3, 4, 5)
    found = products.linear(given[..., part], weight[:, part], bias, relu=relu)
    own = functional.linear(given[..., part], weight[:, part], bias)
    own = functional.relu(own) if relu else own
    torch.testing.assert_close(found, own, **CLOSE)
    assert "_Linear" in str(found.grad_fn)
    for one, other in zip(
        torch.autograd.grad(found, wanted, slope), torch.autograd.grad(own, wanted, slope), strict=True
    ):
        torch.testing.assert_close(one, other, **CLOSE)


@pytest.mark.usefixtures("all_by_onednn")
def test_products_of_turned_matrices_and_of_one_factor_are_those_of_pytorch() -> None:
    torch.manual_seed(0)
    rows, weight, added = torch.randn(6, 8), torch.randn(5, 8), torch.randn(6, 5)
    factor = products.Factor(weight, 6)
    for found in (products.product(rows, weight), products.product(rows.t().clone().t(), weight.t().clone().t()),
                  factor.product(rows)):  # fmt: skip
        torch.testing.assert_close(found, rows @ weight.t(), **CLOSE)
    for found in (products.added_product(added, rows, weight), factor.added_product(added, rows)):
        torch.testing.assert_close(found, added + rows @ weight.t(), **CLOSE)
    total = added.clone()
    products.add_product_(total, rows, weight)
    torch.testing.assert_close(total, added + rows @ weight.t(), **CLOSE)
    torch.testing.assert_close(
        products.added_product(added[:, :1], rows, weight), added[:, :1] + rows @ weight.t(), **CLOSE
    )


@pytest.mark.usefixtures("all_by_onednn")
def test_the_tangent_and_the_cell_are_those_of_pytorch() -> None:
    torch.manual_seed(0)
    numbers = torch.cat([torch.linspace(-90, 90, 1001), torch.linspace(-1e-3, 1e-3, 101)])
    torch.testing.assert_close(products.tanh_(numbers.clone()), numbers.tanh(), rtol=0, atol=2e-7)
    cell, given, state = nn.LSTMCell(7, 5), torch.randn(4, 7), (torch.randn(4, 5), torch.randn(4, 5))
    for found, own in zip(products.lstm_cell(cell, given, state), cell(given, state), strict=True):
        torch.testing.assert_close(found, own, **CLOSE)


def _pointer() -> Network:
    return PointerNetwork(Shape(20, 20, 8, 6))


def _attention() -> Network:
    return AttentionNetwork(Shape(20, 30, 8, 6))


def _transformer() -> Network:
    return Transformer(TransformerSizes(20, 20, 8, 2, 2, 16, 0.0, shared=True, tied=True))


@pytest.mark.parametrize("make", [_attention, _pointer, _transformer])
def test_losses_gradients_and_next_words_of_a_network_stay(
    make: Callable[[], Network], monkeypatch: pytest.MonkeyPatch
) -> None:
    torch.manual_seed(3)
    net = make()
    batch = Batch(*pad(SOURCES), *pad(TARGETS, end=True), copied=pad(COPIED)[0], aimed=pad(AIMED, end=True)[0],
                  copies=1)  # fmt: skip
    found = []
    for least in (1 << 60, 0):
        monkeypatch.setattr(products, "LARGE", least)
        monkeypatch.setattr(products, "MANY", least)
        found.append(_numbers(net, batch))
    for own, other in zip(*found, strict=True):
        torch.testing.assert_close(other, own, **CLOSE)


def _numbers(net: Network, batch: Batch) -> list[Tensor]:
    net.zero_grad()
    (loss,) = net.train().losses(batch)
    loss.total.backward()
    with torch.inference_mode():
        memory, state = net.eval().start(batch)
        step = net.step(memory, state, torch.full((3,), 5))
    slopes = [one.grad for one in net.parameters() if one.grad is not None]
    assert len(slopes) > 9
    return [loss.total.detach(), step.scores, *slopes]


@pytest.mark.usefixtures("all_by_onednn")
def test_the_layers_of_a_strange_network_are_quick_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    net, given = nn.Sequential(nn.Linear(4, 6), nn.Tanh(), nn.Linear(6, 3)), torch.randn(2, 4)
    own, calls = net(given), []
    monkeypatch.setattr(products, "_product", lambda *asked, inner=products._product: calls.append(1) or inner(*asked))
    with products.quick_layers(net), products.quick_layers(net):
        torch.testing.assert_close(net(given), own, **CLOSE)
    assert len(calls) == 2
    assert torch.equal(net(given), own)
    assert len(calls) == 2


@pytest.mark.parametrize("again", [False, True], ids=["kept", "worked out again"])
def test_gradients_of_a_t5_are_those_of_its_own_layers(again: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(4)
    sizes = {"vocab_size": 20, "d_model": 8, "d_kv": 4, "d_ff": 16, "num_layers": 2, "num_heads": 2, "dropout_rate": 0}
    net = T5ForConditionalGeneration(T5Config(**sizes, decoder_start_token_id=0)).train()
    if again:
        net.activation_checkpointing_enable()
    ids, found = torch.tensor([[4, 5, 6], [7, 8, 9]]), list[list[Tensor]]()
    for least in (1 << 60, 0):
        monkeypatch.setattr(products, "LARGE", least)
        net.zero_grad()
        with products.quick_layers(net):
            net(input_ids=ids, labels=ids, use_cache=False).loss.backward()
        found.append([one.grad for one in net.parameters() if one.grad is not None])
    assert len(found[0]) > 20
    for own, other in zip(*found, strict=True):
        torch.testing.assert_close(other, own, **CLOSE)


def test_small_products_other_types_and_mixed_precision_stay_pytorchs_own() -> None:
    large, small = torch.randn(600, 64), torch.randn(32, 64)
    assert products.by_onednn(large, large)
    assert not products.by_onednn(small, small)
    assert not products.by_onednn(large.double(), large.double())
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not products.by_onednn(large, large)


def test_a_search_puts_weights_in_order_once_they_are_used_often_and_while_there_is_room(monkeypatch):
    monkeypatch.setattr(products, "ROOM", 2 * 512 * 768 * 4)  # of bytes: the second layer's weight finds no room
    torch.manual_seed(1)
    net = nn.Sequential(nn.Linear(512, 768), nn.Linear(768, 1024, bias=False), nn.ReLU())
    steps = [torch.randn(rows, 1, 512) for rows in (8, 8, 100, 8, 8, 3, 8, 1)]
    expected = [net(step) for step in steps]
    with torch.inference_mode(), products.searching_layers(net):
        for step, plain in zip(steps, expected, strict=True):
            torch.testing.assert_close(net(step), plain, rtol=1e-4, atol=1e-5)
        ordered = [layer.forward._ordered is not None for layer in (net[0], net[1])]
    assert ordered == [products.NATIVE, False]
    assert "forward" not in vars(net[0])


def test_layers_of_one_input_are_joined_in_order_where_several_rows_come_often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(products, "LARGE", 0)
    torch.manual_seed(1)
    layers = [nn.Linear(48, 32), nn.Linear(48, 16)]
    enough, little = (products.JoinedLayers(layers, [room]) for room in (48 * 48 * 4, 48 * 48 * 4 - 1))
    with torch.inference_mode():
        for rows in (1, 1, 1, 1, 1, 8, 8, 8, 8, 1, 100):
            given = torch.randn(rows, 48)
            expected = torch.cat([layer(given) for layer in layers], 1)
            for joined in (enough, little):
                torch.testing.assert_close(joined(given), expected, rtol=1e-4, atol=1e-5)
    assert (enough._ordered is not None) == products.NATIVE
    assert little._ordered is None

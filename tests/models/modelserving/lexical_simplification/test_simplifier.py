"""The three losses of DECLARE: equations 2 to 5 with plain loops, and what each of them moves."""

import math
from typing import Any

import torch
from torch import nn
from transformers import BertConfig, BertModel

from modelserving.lexical_simplification.simplifier import IGNORED, ExampleBatch, Simplifier, asked, padded, terms_of
from modelserving.lexical_simplification.word_pieces import Example, Special, aim, interpreted
from modelserving.training.network import LossSums, Turn

SPECIAL = Special(begin=2, end=3, mask=4, padding=0)
PIECES = 14
EXAMPLES = [
    # mi(6) is told to be its second full form, nc(8) is told nothing, cad(9) has one full form
    Example([[5], [6], [7], [8]], {1: [[10], [11, 12]], 3: [[13], [10], [11]]}, [False, True, False, True], {1: 1},
            [[11, 12], [5]]),
    Example([[9], [5, 6]], {0: [[12, 13]]}, [True, False], {}, [[]]),
]  # fmt: skip


def network() -> Simplifier:
    torch.manual_seed(4)
    config = BertConfig(vocab_size=PIECES, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
                        intermediate_size=8, max_position_embeddings=32)  # fmt: skip
    net = Simplifier([BertModel(config, add_pooling_layer=False) for _ in range(3)], SPECIAL, 8).eval()
    for parameter in net.parameters():
        nn.init.normal_(parameter, std=0.4)
    return net


def batch_of(examples: list[Example]) -> ExampleBatch:
    around = [[SPECIAL.begin, *one.pieces, SPECIAL.end] for one in examples]
    labels = [[IGNORED, *(int(yes) for word, yes in zip(one.words, one.located, strict=True) for _ in word), IGNORED]
              for one in examples]  # fmt: skip
    aims, own = zip(*(aim(one, SPECIAL.mask) for one in examples), strict=True)
    terms = terms_of(examples, [one.located for one in examples])
    contexts, questions, options = asked(examples, terms, SPECIAL)
    right = torch.tensor([examples[one.sentence].right.get(one.place, IGNORED) for one in terms])
    return ExampleBatch(
        *padded(around, 0), *padded(aims, 0), labels=padded(labels, IGNORED)[0], own=padded(own, False)[0].bool(),
        contexts=contexts, questions=questions, options=options, right=right, terms=terms, examples=examples,
    )  # fmt: skip


def log_softmax(row: Any, place: int) -> float:
    numbers = row.tolist()
    return float(numbers[place] - math.log(sum(math.exp(one) for one in numbers)))


@torch.no_grad()
def by_loops(net: Simplifier) -> dict[str, tuple[float, int]]:
    """Each loss, an example, a term and a piece at a time, without padding: its sum, and over how many it is."""
    located, told, own = list[float](), list[float](), list[float]()
    for example in EXAMPLES:
        source = torch.tensor([[2, *example.pieces, 3]])
        logits = net.locator(source, 0)[0]
        labels = [int(yes) for word, yes in zip(example.words, example.located, strict=True) for _ in word]
        located += [log_softmax(logits[place + 1], label) for place, label in enumerate(labels)]
        chosen = {0: 0} if 0 in example.forms else {}
        for term in terms_of([example], [example.located]):
            scores = net.interpreter(*asked([example], [term], SPECIAL), SPECIAL)[0]
            chosen[term.place] = example.right.get(term.place, int(scores.argmax()))
            told += [log_softmax(scores, example.right[term.place])] if term.place in example.right else []
        memory, state = net.polisher.start(torch.tensor([[2, *interpreted(example, example.located, chosen, 4), 3]]), 0)
        last = 2
        for piece, is_own in zip(*aim(example, 4), strict=True):
            scores, _, state = net.step(memory, state, torch.tensor([last]))
            own += [float(scores[0, piece])] if is_own else []
            last = piece
    return {
        name: (-sum(logs), len(logs)) for name, logs in (("loss", own), ("locator", located), ("interpreter", told))
    }


def test_losses_are_those_of_plain_loops():
    net = network()
    found = {loss.name: (loss.total.item(), loss.count) for loss in net.losses(batch_of(EXAMPLES))}
    for name, (total, count) in by_loops(net).items():
        assert found[name][1] == count
        assert math.isclose(found[name][0], total, rel_tol=1e-4), name
    assert {name: count for name, (_, count) in found.items()} == {"loss": 6, "locator": 7, "interpreter": 1}


def test_what_is_learnt_from_is_the_sum_of_the_three_means():
    net = network()
    losses = net.losses(batch_of(EXAMPLES))
    sums = LossSums(Turn(list(net.parameters())), several=False)
    sums.add(losses, idle=False)
    sums.divide(sums.overs)
    found = {name: one.grad.clone() for name, one in net.named_parameters() if one.grad is not None}
    net.zero_grad()
    sum(loss.total / loss.count for loss in net.losses(batch_of(EXAMPLES))).backward()
    for name, one in net.named_parameters():
        if one.grad is not None:
            torch.testing.assert_close(found[name], one.grad, msg=name)


def test_without_a_term_that_is_told_the_interpreter_stays_as_it_is():
    net = network()
    sums = LossSums(Turn(list(net.parameters())), several=False)
    sums.add(net.losses(batch_of(EXAMPLES[1:])), idle=False)
    sums.divide(sums.overs)
    moved = {name.split(".")[0] for name, one in net.named_parameters() if one.grad is not None and one.grad.any()}
    assert moved == {"locator", "polisher"}

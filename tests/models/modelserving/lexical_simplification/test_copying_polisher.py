"""Algorithm 3: the paper's pseudocode as a plain loop, a sentence at a time, against the polisher's of a batch."""

import torch
from torch import nn
from transformers import BertConfig, BertModel

from modelserving.lexical_simplification.simplifier import Polisher, Simplifier, Writing
from modelserving.lexical_simplification.word_pieces import Sentence, Special

PIECES, LONGEST = 12, 4
SPECIAL = Special(begin=2, end=3, mask=4, padding=0)
SENTENCES = [Sentence([[5], [6, 7], [8], [9]]), Sentence([[10]]), Sentence([[5], [9], [11]]), Sentence([[7], [8]])]
LOCATED = [[False, True, True, False], [True], [False, False, False], [True, False]]


def network(seed: int) -> Simplifier:
    torch.manual_seed(seed)
    config = BertConfig(vocab_size=PIECES, hidden_size=8, num_hidden_layers=1, num_attention_heads=2,
                        intermediate_size=8, max_position_embeddings=32)  # fmt: skip
    net = Simplifier([BertModel(config, add_pooling_layer=False) for _ in range(3)], SPECIAL, 4).eval()
    for parameter in net.polisher.parameters():
        nn.init.normal_(parameter, std=0.9)
    with torch.no_grad():
        net.polisher.output.bias[SPECIAL.mask] += 1.5
    return net


class Translator:
    """`Tran` of algorithm 3: its state after the words that it was given, and the next word."""

    def __init__(self, polisher: Polisher, sentence: list[int]) -> None:
        self.polisher, self.given = polisher, [SPECIAL.begin]
        self.memory, self.first = polisher.start(torch.tensor([[SPECIAL.begin, *sentence, SPECIAL.end]]), 0)

    def next_state(self, word: int) -> None:
        self.given.append(word)

    def next_word(self) -> int:
        """Of all that was given, read anew from its begin."""
        vectors, _, _ = self.polisher.states(self.memory, self.first, torch.tensor([self.given]))
        return int(self.polisher.output(vectors[0, -1]).argmax())


def partial_translation(polisher: Polisher, sentence: list[int]) -> list[int]:
    """Y of algorithm 3 for W, in which marks stand around what is to be translated; at most LONGEST words for each."""
    tran, i, y, copying = Translator(polisher, sentence), 0, [], True
    while i < len(sentence):
        if copying:
            y.append(sentence[i])
            tran.next_state(sentence[i])
            copying = sentence[i] != SPECIAL.mask
            i += 1
            continue
        said = 0
        while (word := tran.next_word()) != SPECIAL.mask and said < LONGEST:
            y.append(word)
            tran.next_state(word)
            said += 1
        y.append(SPECIAL.mask)
        tran.next_state(SPECIAL.mask)
        i, copying = sentence.index(SPECIAL.mask, i) + 1, True  # behind the mark that ends the run
    return y


def input_of(sentence: Sentence, located: list[bool]) -> list[int]:
    found, inside = [], False
    for word, is_located in zip(sentence.words, located, strict=True):
        found += [SPECIAL.mask] * (is_located != inside) + list(word)
        inside = is_located
    return found + [SPECIAL.mask] * inside


def within_marks(y: list[int]) -> list[list[int]]:
    parts, part = [], list[int]()
    for piece in [*y, SPECIAL.mask]:
        if piece == SPECIAL.mask:
            parts.append(part)
            part = []
        else:
            part.append(piece)
    return parts[1::2]


def test_a_batch_is_written_as_algorithm_3_writes_each_sentence():
    lengths = set()
    for seed in range(25):
        net = network(seed)
        with torch.no_grad():
            found = net.polish(SENTENCES, LOCATED, {}, LONGEST)
            alone = [
                partial_translation(net.polisher, input_of(*pair)) for pair in zip(SENTENCES, LOCATED, strict=True)
            ]
        assert found == [within_marks(y) for y in alone]
        lengths |= {len(run) for rewrites in found for run in rewrites}
    assert lengths == {0, 2, 3, LONGEST}  # runs ended by their mark, at once and later, and by the limit


def test_what_is_copied_and_written_by_hand():
    """no <sob> , <cad mi> today: the likeliest pieces are taken within marks alone."""
    writing = Writing([[10, 4], [4, 12, 4], [4, 16]], longest=2)
    likeliest = [99, 98, 30, 31, 32, 97, 96, 4, 95]
    assert [writing.take(one, SPECIAL) for one in likeliest] == [10, 4, 30, 31, 4, 12, 4, 4, 0]
    assert writing.rewrites == [[30, 31], []]
    assert writing.done


def test_a_sentence_without_terms_is_written_at_once():
    assert Writing([[10, 11]], longest=2).done

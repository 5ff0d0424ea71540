"""Examples: drawn by a seed or retrieved, never the text itself."""

import math
import random

from modelserving.prompting.template import DRAWN, K1, RETRIEVED, B, Bm25, Examples, words_of

PAIRS = [
    (f"the {one} sat on the {two}", f"{one} {two}") for one in ("cat", "dog", "cow") for two in ("mat", "hat", "bed")
]


def test_one_seed_draws_the_same_examples_for_every_text() -> None:
    examples = Examples(PAIRS, 3, DRAWN, 7)
    assert examples.of("something") == examples.of("else") == Examples(PAIRS, 3, DRAWN, 7).of("x")
    assert len({tuple(Examples(PAIRS, 3, DRAWN, seed).of("x")) for seed in range(20)}) > 5


def test_a_text_never_meets_its_own_pair_in_whatever_letters() -> None:
    for choice in (DRAWN, RETRIEVED):
        examples = Examples(PAIRS, len(PAIRS), choice, 1)
        for source, target in PAIRS:
            found = examples.of(f"  {source.upper()}! ")
            assert (source, target) not in found
            assert len(found) == len(PAIRS) - 1


def test_a_source_with_several_references_is_one_example() -> None:
    examples = Examples([("a b", "1"), ("A  b.", "2"), ("c", "3"), (" ", "4"), ("d", "")], 5, DRAWN, 1)
    assert sorted(examples.of("x")) == [("a b", "1"), ("c", "3")]


def test_what_is_retrieved_is_most_alike_and_the_most_alike_stands_last() -> None:
    examples = Examples(PAIRS, 2, RETRIEVED, 1)
    assert examples.of("a dog on a bed")[-1] == ("the dog sat on the bed", "dog bed")
    assert examples.of("A COW") == [PAIRS[7], PAIRS[6]]  # all three with a cow are as alike: the first ones


def test_an_index_for_one_text_gives_what_the_whole_one_gives() -> None:
    for text in ("a dog on a bed", "cow hat", "nothing of it", ""):
        assert Examples(PAIRS, 4, RETRIEVED, 1).for_one(text) == Examples(PAIRS, 4, RETRIEVED, 1).of(text)


def test_what_a_checkpoint_keeps_gives_the_same_examples() -> None:
    for choice in (DRAWN, RETRIEVED):
        examples = Examples(PAIRS, 3, choice, 5)
        again = Examples([(first, second) for first, second in examples.stored()], 3, choice, None)
        for text in ("a dog", PAIRS[0][0], PAIRS[4][0], ""):
            assert again.of(text) == examples.of(text)
    assert len(Examples(PAIRS, 3, DRAWN, 5).stored()) == 4
    assert Examples(PAIRS, 0, RETRIEVED, 5).stored() == []


def test_bm25_is_what_its_formula_says() -> None:
    chance = random.Random(3)  # noqa: S311
    texts = [" ".join(chance.choices("abcdefgh", k=chance.randint(0, 9))) for _ in range(40)]
    index = Bm25(texts)
    mean = sum(len(text.split()) for text in texts) / len(texts)
    for query in ("a b", "c c d", "h z", ""):
        for text, score in zip(texts, index.scores(query), strict=True):
            expected = 0.0
            for word in words_of(query):
                holding = sum(word in other.split() for other in texts)
                count = text.split().count(word)
                norm = K1 * (1 - B + B * len(text.split()) / mean)
                rarity = math.log(1 + (len(texts) - holding + 0.5) / (holding + 0.5))
                expected += rarity * count * (K1 + 1) / (count + norm)
            assert math.isclose(score, expected, abs_tol=1e-12)

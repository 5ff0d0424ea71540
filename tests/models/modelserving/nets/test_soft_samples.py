"""Soft samples: numbers worked by hand, and the Gumbel-max trick's closed form."""

import math

import pytest
import torch

from modelserving.nets.sampling import soft_embeddings, soft_lengths, soft_words
from modelserving.training.tokenization import END

LOGITS = torch.tensor([[0.0, math.log(2), math.log(3)]])


@pytest.mark.parametrize(("temperature", "wanted"), [
    (1.0, [1 / 6, 2 / 6, 3 / 6]), (0.5, [1 / 14, 4 / 14, 9 / 14]), (0.001, [0.0, 0.0, 1.0]),
])  # fmt: skip
def test_a_lower_temperature_leaves_the_likeliest_word(temperature: float, wanted: list[float]) -> None:
    torch.testing.assert_close(soft_words(LOGITS, temperature)[0], torch.tensor(wanted))


def test_with_noise_each_word_is_the_likeliest_as_often_as_it_is_probable() -> None:
    torch.manual_seed(1)
    many = soft_words(LOGITS.expand(60_000, 3), 0.1, noise=True)
    torch.testing.assert_close(many.sum(-1), torch.ones(60_000))
    shares = torch.bincount(many.argmax(-1), minlength=3) / 60_000
    torch.testing.assert_close(shares, torch.tensor([1 / 6, 2 / 6, 3 / 6]), atol=0.01, rtol=0)


def test_an_embedding_is_mixed_of_those_of_all_words() -> None:
    embeddings = torch.tensor([[6.0, 0.0], [0.0, 6.0], [2.0, 4.0]])
    torch.testing.assert_close(soft_embeddings(soft_words(LOGITS, 1.0), embeddings), torch.tensor([[2.0, 4.0]]))


def test_a_text_ends_with_its_first_end_and_else_with_its_last_place() -> None:
    words = torch.tensor([[5, END, 7, END], [END, 4, 4, 4], [4, 5, 6, 7]])
    assert soft_lengths(words).tolist() == [2, 1, 4]

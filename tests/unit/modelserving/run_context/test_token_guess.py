"""The guess of tokens where nobody counts, held to what is published of tokenizers."""

import pytest

from modelserving.run_context import guess_of, guess_tokens, most_tokens


@pytest.mark.parametrize(
    ("text", "characters", "size", "tokens"),
    [
        ("word" * 100, 400, 400, 100),  # four characters of English a token
        ("这是一个句子" * 10, 60, 180, 60),  # a character of Chinese a token
        ("これは文です" * 10, 60, 180, 60),
        ("é" * 8, 8, 16, 5),
        ("", 0, 0, 1),
    ],
)
def test_a_guess_follows_bytes_and_characters(text, characters, size, tokens):
    assert (len(text), most_tokens(text)) == (characters, size)
    assert guess_of(text) == tokens
    assert guess_tokens(size, characters) == pytest.approx(tokens if text else 0)


def test_half_a_surrogate_pair_has_a_size():
    assert guess_of("\ud800") == 1


# The first article of the Universal Declaration of Human Rights, in its official translations.
ENGLISH = (
    "All human beings are born free and equal in dignity and rights. They are endowed with reason and conscience and "
    "should act towards one another in a spirit of brotherhood."
)
CHINESE = "人人生而自由,在尊严和权利上一律平等。他们赋有理性和良心,并应以兄弟关系的精神相对待。"


def test_chinese_is_not_a_quarter_of_what_it_is():
    """Petrov et al. 2023: GPT-4's tokenizer makes 1.9 times as many tokens of Chinese as of the same in English, newer
    ones about 1.2 times; a quarter of a token a character would be 0.25 times."""
    ratio = guess_of(CHINESE) / guess_of(ENGLISH)
    assert 0.9 < ratio < 1.9

"""About how many tokens a text has, where no tokenizer counts them, and how many it has at most.

English has about four characters a token (OpenAI's rule of thumb). In scripts without spaces a character is about one
token: of a Chinese text GPT-4's tokenizer makes 1.9 times as many tokens as of its English translation (Petrov et al.
2023, https://arxiv.org/abs/2305.15425). Both hold for (3 b - c) / 8 tokens of c characters in b bytes of UTF-8: a
character of one byte is a quarter of a token, of two bytes 5/8, of three bytes one token.
"""


def guess_tokens(size: float, characters: float) -> float:
    """About how many tokens a text of so many bytes of UTF-8 and so many characters has."""
    return (3 * size - characters) / 8


def guess_of(text: str) -> int:
    """About how many tokens a text has, one at least."""
    return max(1, round(guess_tokens(most_tokens(text), len(text))))


def most_tokens(text: str) -> int:
    """The bytes of a text in UTF-8: no tokenizer over bytes makes more tokens of it."""
    return len(text.encode("utf-8", "replace"))

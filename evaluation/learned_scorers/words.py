"""The words that trained metrics learn from: NLTK's of English, sacreBLEU's of the others."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from evaluation.languages import is_english
from evaluation.ngrams import missing_tokenizer, signed_tokenizer, tokenizer_for, word_tokenizer_of

NLTK = "nltk"  # its word tokenizer (corpora.knowledge.words)


def words_in(language: str) -> Callable[[str], list[str]]:
    """From a text in a language to its words and punctuation marks, as they stand in it."""
    if is_english(language):
        from corpora.knowledge.words import tokens  # which loads NLTK

        return tokens
    split = tokenizer_for(word_tokenizer_of(language), lowercase=False)
    return lambda text: list(split(text))


def words_missing(language: str) -> str:
    """The package to install so that words of a language can be found; "" where they can be."""
    return "" if is_english(language) else missing_tokenizer(word_tokenizer_of(language))


def words_signature(language: str) -> str:
    """Which words they are, as a signature says it."""
    return NLTK if is_english(language) else signed_tokenizer(word_tokenizer_of(language))


# Texts that are longer than a model takes: windows that overlap by half, so that every token has context.
#
# The tokens of a text are its special ones at either end and the body between; each window gets the special ones too.

WINDOWS, UNDEFINED = "windows", "undefined"
LONG_TEXTS = (WINDOWS, UNDEFINED)
"""What is done with them: they are read in windows, or their sentences have no score."""

TOO_LONG = "Every sentence has a text that is longer than the {longest} tokens that the model reads at once."


class Window(NamedTuple):
    """The tokens that the model reads, and which of them (from, to) count here: in all windows together each once."""

    tokens: list[int]
    first: int
    last: int


def all_tokens(tokenizer: Any, text: str) -> list[int]:
    """The tokens of a text, however many there are, with the special ones."""
    tokens: list[int] = tokenizer.encode(text.strip(), truncation=False, verbose=False)
    return tokens


def windows(tokens: Sequence[int], special: Collection[int], longest: int, *, forward: bool = False) -> list[Window]:
    """The windows of one text; a single one where it is not too long.

    Args:
        tokens: The text's tokens with the special ones.
        special: Which tokens are special.
        longest: The model's limit in tokens.
        forward: Whether a token sees only those before it. It then counts where most stand before it, else where it is
            farthest from an edge.
    """
    if len(tokens) <= longest:
        return [Window(list(tokens), 0, len(tokens))]
    head, body, tail = _parts(tokens, special)
    room = max(2, longest - len(head) - len(tail))
    starts = [*range(0, len(body) - room, room // 2), len(body) - room]
    bounds = [0, *(start + room if forward else (start + room + after) // 2 for start, after in pairwise(starts))]
    made = []
    for start, (first, last) in zip(starts, pairwise([*bounds, len(body)]), strict=True):
        at = len(head) - start
        begin = 0 if first == 0 else first + at
        end = len(head) + room + len(tail) if last == len(body) else last + at
        made.append(Window([*head, *body[start : start + room], *tail], begin, end))
    return made


def chunks(tokens: Sequence[int], special: Collection[int], longest: int) -> Iterator[list[int]]:
    """The text in parts that the model takes, one after the other."""
    if len(tokens) <= longest:
        yield list(tokens)
        return
    head, body, tail = _parts(tokens, special)
    room = max(1, longest - len(head) - len(tail))
    for start in range(0, len(body), room):
        yield [*head, *body[start : start + room], *tail]


def _parts(tokens: Sequence[int], special: Collection[int]) -> tuple[list[int], list[int], list[int]]:
    """The special tokens at the beginning, the tokens between, and the special ones at the end."""
    start, end = 0, len(tokens)
    while start < end and tokens[start] in special:
        start += 1
    while end > start and tokens[end - 1] in special:
        end -= 1
    return list(tokens[:start]), list(tokens[start:end]), list(tokens[end:])

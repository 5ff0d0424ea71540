"""How long a text may be that a kind of model is trained on, and how its length is counted."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

Lengths = Callable[[Sequence[str]], Sequence[int]]


@dataclass(frozen=True)
class LengthLimit:
    """The most units (words, tokens) of a source and of a target.

    Longer ones are left out of the training, or cut off there (`cuts`). `lengths` counts texts; where it counts less
    than there will be (`at_least`: words, of which subwords are made that are learnt in the training), what it finds
    too long is. With `tune` the tune set is measured as well. A `prefix` stands
    before each source. With `together` a pair is measured, source and target in one: `source` is the most of both.
    """

    source: int
    target: int
    lengths: Lengths
    unit: str = "words"
    cuts: bool = False
    at_least: bool = False
    tune: bool = False
    prefix: str = ""
    together: bool = False


def white_space_lengths(texts: Sequence[str]) -> list[int]:
    """The words of texts between white space: no more than any tokenizer here makes of them."""
    return [len(text.split()) for text in texts]

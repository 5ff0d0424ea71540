"""The contract of an attention check: a text that an attentive rater rates lower than the text it was made of."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from foundation.papers import Paper


@dataclass(frozen=True)
class CheckTexts:
    """The texts that an attention check is made of: the source, an ordinary text judged beside it, and others.

    `language` is the language of all.
    """

    source: str
    text: str
    others: Sequence[str]
    language: str = ""


@dataclass(frozen=True, kw_only=True)
class AttentionCheck:
    """An entry of this folder. `spoils` are the aspects on which its texts are worse than what they were made of.

    `make(given, draws)` gives the text, None where it cannot be made; `of` says what it is made of.
    """

    label: str
    about: str
    spoils: frozenset[str]
    make: Callable[[CheckTexts, np.random.Generator], str | None]
    of: Callable[[CheckTexts], str] = lambda given: given.text
    paper: Paper | None = None

"""A text in which a run of words gave way to words from elsewhere: direct assessment's bad reference.

In a language without spaces the characters count as words.

The number of words follows the length of the text, as in Graham, Baldwin, Moffat and Zobel (2017).
"""

import numpy as np

from evaluation.attention_checks._base import AttentionCheck, CheckTexts
from evaluation.languages import joined, pieces
from foundation.papers import Paper
from foundation.text_keys import text_key

GRAHAM = Paper(
    "Graham, Baldwin, Moffat and Zobel",
    2017,
    "Can machine translation systems be evaluated by the crowd alone",
    "https://doi.org/10.1017/S1351324915000339",
)
TRIES = 20


def make(given: CheckTexts, draws: np.random.Generator) -> str | None:
    """The text with a run replaced by one of another text; if none is long enough, its words in another order."""
    words = pieces(given.text, given.language)
    if not words:
        return None
    count = run_of(len(words))
    candidates = [pieces(text, given.language) for text in given.others if text_key(text) != text_key(given.text)]
    others = [candidate for candidate in candidates if len(candidate) >= count]
    start = int(draws.integers(len(words) - count + 1))
    for _ in range(TRIES):
        if others:
            other = others[int(draws.integers(len(others)))]
            place = int(draws.integers(len(other) - count + 1))
            changed = [*words[:start], *other[place : place + count], *words[start + count :]]
        else:
            changed = [words[place] for place in draws.permutation(len(words))]
        if changed != words:
            return joined(changed, given.language)
    return None


def run_of(length: int) -> int:
    """How many words are replaced in a text of so many."""
    for most, count in ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5)):
        if length <= most:
            return count
    return length // 4


ATTENTION_CHECK = AttentionCheck(
    label="Broken on purpose",
    about="An output in which some words were replaced with words of other texts.",
    spoils=frozenset({"fluency", "meaning", "content", "overall"}),
    make=make,
    paper=GRAHAM,
)

"""ROUGE's arithmetic, with Google's numbers: tokens, and precision, recall and F1 of what two texts share."""

import re
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from evaluation.word_matching.stems import stemmer

Floats = NDArray[np.float64]
TOKENS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": re.compile(r"[^\W_]+")}
SHORT = 3  # characters of the longest word that is not stemmed


def precision_recall_f1(overlaps: Floats) -> Floats:
    """Precision, recall and F1 of what outputs and references share.

    Args:
        overlaps: (n, 3), the units that a pair shares, the output's units and the reference's.

    Returns:
        (n, 3) of precision, recall and F1, 0 to 1; 0 where a side has no units.
    """
    shared, output, reference = overlaps.T
    precision, recall = _share(shared, output), _share(shared, reference)
    return np.column_stack((precision, recall, _share(2 * precision * recall, precision + recall)))


def _share(part: Floats, whole: Floats) -> Floats:
    share: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return share


def rouge_tokenizer(tokens: str, stem: bool) -> Callable[[str], list[str]]:
    """A function from a text to its lower-case tokens.

    Args:
        tokens: Which letters and digits a token is a run of, "ascii" or "unicode".
        stem: Whether words of more than three letters are stemmed by Porter's rules.
    """
    find = TOKENS[tokens].findall
    if not stem:
        return lambda text: find(text.lower())
    stemmed = stemmer()
    return lambda text: [stemmed(word) if len(word) > SHORT else word for word in find(text.lower())]

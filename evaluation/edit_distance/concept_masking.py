"""Texts with their concepts masked, for edit distance between structures (Cao et al. 2020, section 3.2, Table 3)."""

from collections.abc import Iterable

MASK = "\ue000"
"""One character that stands for any concept; of Unicode's private use, so that no text has it."""


def mask_concepts(text: str, places: Iterable[tuple[int, int]]) -> str:
    """The text with one MASK in the place of each concept, whatever its length.

    `places` are start and end in characters, in order and not overlapping, as a `ConceptLinker` gives them.
    """
    parts, after = [], 0
    for start, end in places:
        parts += [text[after:start], MASK]
        after = end
    return "".join([*parts, text[after:]])

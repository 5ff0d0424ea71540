"""The source, copied: it means the same and reads well, and its style was not changed."""

import numpy as np

from evaluation.attention_checks._base import AttentionCheck, CheckTexts


def make(given: CheckTexts, draws: np.random.Generator) -> str | None:
    return given.source.strip() or None


ATTENTION_CHECK = AttentionCheck(
    label="Source copied",
    about="The unchanged source, whose style was not changed.",
    spoils=frozenset({"style"}),
    make=make,
    of=lambda given: given.source,
)

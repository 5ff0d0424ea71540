"""The characters that Hypothesis draws: those that UTF-8 can write, without asking it for each of a million."""

from hypothesis.internal import charmap
from hypothesis.internal.intervalsets import IntervalSet

asked = charmap.intervals_from_codec
UTF_8 = IntervalSet([(0, 0xD7FF), (0xE000, 0x10FFFF)])
"""All but the halves of pairs, which mean something in UTF-16 alone."""


def intervals_of(codec: str) -> tuple[IntervalSet, IntervalSet]:
    """The characters that the codec can write, and of these the ones that it reads as others."""
    return (UTF_8, IntervalSet([])) if codec == "utf-8" else asked(codec)

"""A text cut into its attribute markers and its content: what is left without them (Li et al. 2018, section 3.1).

Where markers overlap the paper does not say which are taken. Here, as in its authors' program, the text is read from
left to right: at each word the longest marker that starts there is taken if it ends behind the last one taken. So
markers may share words; each stands whole among the markers of the text.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass

Span = tuple[int, int]
"""The place of a marker's first word, and the place behind its last."""


@dataclass(frozen=True)
class MarkedText:
    """The words of a text, and where its markers are, in order."""

    words: Sequence[str]
    spans: tuple[Span, ...]

    @property
    def content(self) -> list[str]:
        """The words that belong to no marker."""
        inside = {place for start, end in self.spans for place in range(start, end)}
        return [word for place, word in enumerate(self.words) if place not in inside]

    @property
    def markers(self) -> list[list[str]]:
        """The words of each marker."""
        return [list(self.words[start:end]) for start, end in self.spans]

    @property
    def slots(self) -> list[Span]:
        """The spans, those as one that overlap or touch: a template has one slot for them."""
        merged: list[Span] = []
        for start, end in self.spans:
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
        return merged


def find_markers(words: Sequence[str], markers: Container[str], longest: int) -> tuple[Span, ...]:
    """Where the markers of a text are that are taken."""
    spans: list[Span] = []
    for at in range(len(words)):
        for end in range(min(at + longest, len(words)), at, -1):
            if " ".join(words[at:end]) in markers and (not spans or end > spans[-1][1]):
                spans.append((at, end))
                break
    return tuple(spans)

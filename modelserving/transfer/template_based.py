"""The source, with its attribute markers replaced by those of a similar text of the other style (Li et al. 2018).

TemplateBased of section 3.3: it retrieves the text with the content most similar to that of the source.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from modelserving.attribute_markers.kind import MarkerTransfer
from modelserving.attribute_markers.style_markers import MarkedText
from modelserving.interface import Direction
from modelserving.training.tokenization import detokenize

if TYPE_CHECKING:
    from modelserving.attribute_markers.style_markers import StyleMarkers

# A text as a template whose slots take the markers of another (Li et al. 2018, section 3.3, TemplateBased).
#
# Markers are put in from left to right; a slot without one stays empty. Markers beyond the slots stand at the end of
# the text, before its closing mark, and a text whose markers hold a full stop is skipped: both as in the authors'
# program, since the paper does not say.

STOP = "."


def slot_markers(marked: MarkedText) -> list[list[str]]:
    """The markers of a text, with overlapping or touching ones joined."""
    return [list(marked.words[start:end]) for start, end in marked.slots]


def can_fill(markers: Sequence[Sequence[str]]) -> bool:
    """Whether no marker holds a full stop, which would stand within the text."""
    return not any(STOP in word for marker in markers for word in marker)


def fill_slots(template: MarkedText, markers: Sequence[Sequence[str]]) -> list[str]:
    """The words of the template with the markers in its slots."""
    found: list[str] = []
    left, at = list(markers), 0
    for start, end in template.slots:
        found += [*template.words[at:start], *(left.pop(0) if left else ())]
        at = end
    found += template.words[at:]
    closing = len(found) - 1 if found and not any(map(str.isalnum, found[-1])) else len(found)
    return [*found[:closing], *(word for marker in left for word in marker), *found[closing:]]


RETRIEVED = 10  # texts that are searched, as in the authors' program


class TemplateBased(MarkerTransfer):
    label = "TemplateBased"

    def rewrite(self, known: "StyleMarkers", text: str, direction: Direction) -> str:
        source, target = direction
        template = known.mark(text, source)
        near = known.retrieve(template.content, target, RETRIEVED)
        markers = next(filter(can_fill, (slot_markers(one.marked) for one in near)), None)
        return " ".join(text.split()) if markers is None else detokenize(fill_slots(template, markers))


TRANSFER = TemplateBased()

"""The source with its attribute markers replaced by those of a text of the other style like it (Li et al. 2018).

TemplateBased of section 3.3: the text is retrieved whose content is the most like that of the source.
"""

from typing import TYPE_CHECKING

from modelserving.attribute_markers.kind import MarkerTransfer
from modelserving.attribute_markers.templates import can_fill, fill_slots, slot_markers
from modelserving.interface.transfer_model import Direction
from modelserving.training.tokenization import detokenize

if TYPE_CHECKING:
    from modelserving.attribute_markers.style_markers import StyleMarkers

RETRIEVED = 10  # texts that are looked through, as in the authors' program


class TemplateBased(MarkerTransfer):
    label = "TemplateBased"

    def rewrite(self, known: "StyleMarkers", text: str, direction: Direction) -> str:
        source, target = direction
        template = known.mark(text, source)
        near = known.retrieve(template.content, target, RETRIEVED)
        markers = next(filter(can_fill, (slot_markers(one.marked) for one in near)), None)
        return " ".join(text.split()) if markers is None else detokenize(fill_slots(template, markers))


TRANSFER = TemplateBased()

"""The unchanged text of the other style whose content is most like the source's (Li et al. 2018).

RetrieveOnly of section 3.3. The paper uses the distance of a network's states, with results like those of TF-IDF, which
is used here: no network has to be trained.
"""

from typing import TYPE_CHECKING

from modelserving.attribute_markers.kind import MarkerTransfer
from modelserving.interface import Direction

if TYPE_CHECKING:
    from modelserving.attribute_markers.style_markers import StyleMarkers


class RetrieveOnly(MarkerTransfer):
    label = "RetrieveOnly"

    def rewrite(self, known: "StyleMarkers", text: str, direction: Direction) -> str:
        source, target = direction
        return known.retrieve(known.mark(text, source).content, target, 1)[0].text


TRANSFER = RetrieveOnly()

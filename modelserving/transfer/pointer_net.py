"""PointerNet of MedLane's paper (section 5.1): at each word it generates, or refers to one of the source."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class PointerNet(NetworkTransfer):
    label = "PointerNet"
    paper = MEDLANE
    shared = copies = True

    def build(self, vocabularies: Vocabularies, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import PointerNetwork, Shape

        return PointerNetwork(Shape.of(vocabularies, options))


TRANSFER = PointerNet()

"""PointerNet of MedLane's paper (section 5.1): at each word it generates, or refers to one of the source."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.training.words import Words
from modelserving.transfer._network import NetworkOptions, NetworkTransfer

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class PointerNet(NetworkTransfer):
    label = "PointerNet"
    paper = MEDLANE
    shared = copies = True

    def build(self, words: Words, options: NetworkOptions) -> "Network":
        from modelserving.nets.copying import Pointing
        from modelserving.nets.recurrent import Shape

        return Pointing(Shape.of(words, options))


TRANSFER = PointerNet()

"""LSTM encoder and decoder with attention (Bahdanau et al. 2015), as MedLane's paper trained it (section 5.1)."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.training.words import Words
from modelserving.transfer._network import NetworkOptions, NetworkTransfer

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class Seq2Seq(NetworkTransfer):
    label = "Seq2Seq"
    paper = MEDLANE

    def build(self, words: Words, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import Recurrent, Shape

        return Recurrent(Shape.of(words, options))


TRANSFER = Seq2Seq()

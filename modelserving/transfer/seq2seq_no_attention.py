"""Seq2Seq- of MedLane's paper: the decoder attends to nothing, and knows of the source by its first state alone."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.neural.kind import NetworkOptions, NetworkTransfer
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class Seq2SeqNoAttention(NetworkTransfer):
    label = "Seq2Seq- (no attention)"
    paper = MEDLANE

    def build(self, words: Vocabularies, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import NetworkWithoutAttention, Shape

        return NetworkWithoutAttention(Shape.of(words, options))


TRANSFER = Seq2SeqNoAttention()

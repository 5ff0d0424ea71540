"""Seq2Seq- of MedLane's paper: the decoder attends to nothing, and knows of the source by its first state alone."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class Seq2SeqNoAttention(NetworkTransfer):
    label = "Seq2Seq- (no attention)"
    paper = MEDLANE

    def build(self, vocabularies: Vocabularies, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import NetworkWithoutAttention, Shape

        return NetworkWithoutAttention(Shape.of(vocabularies, options))


TRANSFER = Seq2SeqNoAttention()

"""LSTM encoder and decoder with attention (Bahdanau et al. 2015), as MedLane's paper trained it (section 5.1)."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class Seq2Seq(NetworkTransfer):
    label = "Seq2Seq"
    paper = MEDLANE

    def build(self, vocabularies: Vocabularies, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import AttentionNetwork, Shape

        return AttentionNetwork(Shape.of(vocabularies, options))


TRANSFER = Seq2Seq()

"""Seq2Seq-S of MedLane's paper: encoder and decoder share one space of embeddings, and so their words."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.neural_transfer.options import NetworkOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class Seq2SeqShared(NetworkTransfer):
    label = "Seq2Seq-S (shared embeddings)"
    paper = MEDLANE
    shared = True

    def build(self, vocabularies: Vocabularies, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import AttentionNetwork, Shape

        return AttentionNetwork(Shape.of(vocabularies, options, shared=True))


TRANSFER = Seq2SeqShared()

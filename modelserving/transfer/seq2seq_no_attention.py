"""Seq2Seq- of MedLane's paper: the decoder attends to nothing, and knows of the source by its first state alone."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.training.words import Words
from modelserving.transfer._network import NetworkOptions, NetworkTransfer

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class Seq2SeqNoAttention(NetworkTransfer):
    label = "Seq2Seq- (no attention)"
    paper = MEDLANE

    def build(self, words: Words, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import Shape, Unattending

        return Unattending(Shape.of(words, options))


TRANSFER = Seq2SeqNoAttention()

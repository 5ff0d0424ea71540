"""Seq2Seq-S of MedLane's paper: encoder and decoder share one space of embeddings, and so their words."""

from typing import TYPE_CHECKING

from foundation.papers import MEDLANE
from modelserving.training.words import Words
from modelserving.transfer._network import NetworkOptions, NetworkTransfer

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class Seq2SeqShared(NetworkTransfer):
    label = "Seq2Seq-S (shared embeddings)"
    paper = MEDLANE
    shared = True

    def build(self, words: Words, options: NetworkOptions) -> "Network":
        from modelserving.nets.recurrent import Recurrent, Shape

        return Recurrent(Shape.of(words, options, shared=True))


TRANSFER = Seq2SeqShared()

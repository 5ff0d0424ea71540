"""NMT Baseline of GYAFC's paper (section 4.3): bidirectional LSTM encoder, attending decoder, on the rules' output."""

from typing import TYPE_CHECKING

from modelserving.training.words import Words
from modelserving.transfer._gyafc import GyafcNetwork, Options

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class NmtBaseline(GyafcNetwork):
    label = "NMT Baseline"

    def build(self, words: Words, options: Options) -> "Network":
        from modelserving.nets.recurrent import Recurrent, Shape

        return Recurrent(Shape.of(words, options))


TRANSFER = NmtBaseline()

"""NMT Baseline of GYAFC's paper (section 4.3): bidirectional LSTM encoder, attending decoder, on the rules' output."""

from typing import TYPE_CHECKING

from modelserving.neural_transfer.gyafc import GyafcNetwork, GyafcOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class NmtBaseline(GyafcNetwork):
    label = "NMT Baseline"

    def build(self, vocabularies: Vocabularies, options: GyafcOptions) -> "Network":
        from modelserving.nets.recurrent import AttentionNetwork, Shape

        return AttentionNetwork(Shape.of(vocabularies, options))


TRANSFER = NmtBaseline()

"""NMT Copy of GYAFC's paper (section 4.3): the baseline with the copy mechanism of Jhamtani et al. (2017)."""

from typing import TYPE_CHECKING

from modelserving.neural_transfer.gyafc import GyafcNetwork, GyafcOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class NmtCopy(GyafcNetwork):
    label = "NMT Copy"
    shared = copies = True

    def build(self, vocabularies: Vocabularies, options: GyafcOptions) -> "Network":
        from modelserving.nets.recurrent import SentinelNetwork, Shape

        return SentinelNetwork(Shape.of(vocabularies, options))


TRANSFER = NmtCopy()

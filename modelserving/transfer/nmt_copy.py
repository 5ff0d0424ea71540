"""NMT Copy of GYAFC's paper (section 4.3): the baseline with the copy mechanism of Jhamtani et al. (2017)."""

from typing import TYPE_CHECKING

from modelserving.training.words import Words
from modelserving.transfer._gyafc import GyafcNetwork, Options

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class NmtCopy(GyafcNetwork):
    label = "NMT Copy"
    shared = copies = True

    def build(self, words: Words, options: Options) -> "Network":
        from modelserving.nets.copying import Sentinel
        from modelserving.nets.recurrent import Shape

        return Sentinel(Shape.of(words, options))


TRANSFER = NmtCopy()

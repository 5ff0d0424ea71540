"""One encoder, from whose output no style can be told, and a decoder a style, trained in turn (Fu et al. 2018)."""

from typing import TYPE_CHECKING

from modelserving.training.words import Words
from modelserving.transfer._styled import StyledOptions, StyledTransfer, sizes

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class MultiDecoder(StyledTransfer):
    label = "Multi-decoder"
    apart = True

    def build(self, words: Words, options: StyledOptions) -> "Network":
        from modelserving.nets import styled

        return styled.MultiDecoder(sizes(words, options))


TRANSFER = MultiDecoder()

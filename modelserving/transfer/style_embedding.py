"""One encoder, from whose output no style can be told, and one decoder, which is given a style's embedding with it.

Fu et al. (2018). The decoder's states are as long as the encoder's and the style embedding together.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foundation.options import option
from modelserving.training.words import Words
from modelserving.transfer._styled import StyledOptions, StyledTransfer, sizes

if TYPE_CHECKING:
    from modelserving.nets._base import Network


@dataclass(frozen=True)
class EmbeddingOptions(StyledOptions):
    style: int = option(64, "Size of the style embeddings", low=1, high=4096)


class StyleEmbedding(StyledTransfer):
    label = "Style-embedding"
    Options = EmbeddingOptions

    def build(self, words: Words, options: EmbeddingOptions) -> "Network":
        from modelserving.nets import styled

        return styled.StyleEmbedding(sizes(words, options))


TRANSFER = StyleEmbedding()

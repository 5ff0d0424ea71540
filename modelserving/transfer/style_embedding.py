"""One encoder whose output hides the style, and one decoder, which also gets a style's embedding (Fu et al. 2018).

The decoder's states are as long as the encoder's and the style embedding together.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from foundation.options import option
from modelserving.neural_transfer.styled import StyledOptions, StyledTransfer, sizes
from modelserving.training.recipe import NETWORK
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


@dataclass(frozen=True)
class EmbeddingOptions(StyledOptions):
    style: int = option(64, "Size of the style embeddings", low=1, high=4096, group=NETWORK)


class StyleEmbedding(StyledTransfer):
    label = "Style-embedding"
    Options = EmbeddingOptions

    def build(self, vocabularies: Vocabularies, options: EmbeddingOptions) -> "Network":
        from modelserving.nets import style_networks

        return style_networks.StyleEmbedding(sizes(vocabularies, options))


TRANSFER = StyleEmbedding()

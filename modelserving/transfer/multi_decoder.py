"""One encoder whose output hides the style, and one decoder per style, trained in turn (Fu et al. 2018)."""

from typing import TYPE_CHECKING

from modelserving.neural_transfer.styled import StyledOptions, StyledTransfer, sizes
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class MultiDecoder(StyledTransfer):
    label = "Multi-decoder"
    apart = True

    def build(self, vocabularies: Vocabularies, options: StyledOptions) -> "Network":
        from modelserving.nets import style_networks

        return style_networks.MultiDecoder(sizes(vocabularies, options))


TRANSFER = MultiDecoder()

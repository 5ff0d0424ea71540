"""A text becomes one vector and is reconstructed from it: Fu et al.'s (2018) baseline, without styles."""

from typing import TYPE_CHECKING

from modelserving.neural_transfer.styled import StyledOptions, StyledTransfer, sizes
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class AutoEncoder(StyledTransfer):
    label = "Auto-encoder"

    def build(self, vocabularies: Vocabularies, options: StyledOptions) -> "Network":
        from modelserving.nets import style_networks

        return style_networks.AutoEncoder(sizes(vocabularies, options))


TRANSFER = AutoEncoder()

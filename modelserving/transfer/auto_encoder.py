"""A text as one vector, and the same text written of it again: Fu et al.'s (2018) baseline. Styles are not told."""

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

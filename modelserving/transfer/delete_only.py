"""The source without its markers, written in the other style, of which there is an embedding (Li et al. 2018)."""

from typing import TYPE_CHECKING

from modelserving.neural_transfer.marked import MarkedOptions, MarkedTransfer, sizes
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class DeleteOnly(MarkedTransfer):
    label = "DeleteOnly"

    def build(self, vocabularies: Vocabularies, options: MarkedOptions) -> "Network":
        from modelserving.nets import delete_networks

        return delete_networks.DeleteOnly(sizes(vocabularies, options))


TRANSFER = DeleteOnly()

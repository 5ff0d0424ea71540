"""The content of the source written with the markers of texts of the other style that are like it (Li et al. 2018).

The markers of several texts give several outputs; the one is taken that a language model of the target style finds
likeliest.
"""

from typing import TYPE_CHECKING, ClassVar

from modelserving.neural_transfer.marked import (
    MarkedModel,
    MarkedTransfer,
    NoisyOptions,
    RetrievingDecoding,
    RetrievingModel,
    sizes,
)
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import Vocabularies

if TYPE_CHECKING:
    from modelserving.training.network import Network


class DeleteAndRetrieve(MarkedTransfer):
    label = "DeleteAndRetrieve"
    Options: ClassVar[type] = NoisyOptions
    Decoding: ClassVar[type[BeamSearchOptions]] = RetrievingDecoding
    Ready: ClassVar[type[MarkedModel]] = RetrievingModel

    def build(self, vocabularies: Vocabularies, options: NoisyOptions) -> "Network":
        from modelserving.nets import delete_networks

        return delete_networks.DeleteAndRetrieve(sizes(vocabularies, options))


TRANSFER = DeleteAndRetrieve()

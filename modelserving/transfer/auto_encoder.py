"""A text as one vector, and the same text written of it again: Fu et al.'s (2018) baseline. Styles are not told."""

from typing import TYPE_CHECKING

from modelserving.training.words import Words
from modelserving.transfer._styled import StyledOptions, StyledTransfer, sizes

if TYPE_CHECKING:
    from modelserving.nets._base import Network


class AutoEncoder(StyledTransfer):
    label = "Auto-encoder"

    def build(self, words: Words, options: StyledOptions) -> "Network":
        from modelserving.nets import styled

        return styled.AutoEncoder(sizes(words, options))


TRANSFER = AutoEncoder()

"""A model that rewrites texts in batches, on a device of this machine."""

from copy import copy
from typing import Self

from modelserving.interface.transfer_model import Model
from modelserving.run_context.context import RunContext


class BatchModel(Model):
    """Asks its run before each batch whether to go on (`run_context.batchwise`). A subclass calls `__init__`."""

    def __init__(self) -> None:
        self.context = RunContext()

    def within(self, context: RunContext) -> Self:
        """The same model, of which all but the run is shared."""
        found = copy(self)
        found.context = context
        return found

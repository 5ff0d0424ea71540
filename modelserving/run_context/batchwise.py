"""Work on batches: between two a run is asked whether to go on; one that does not fit into memory is done in halves."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

from foundation.errors import UserError
from modelserving.run_context.context import RunContext

Row = TypeVar("Row")
Result = TypeVar("Result")
Work = Callable[[list[Row]], Sequence[Result]]
SPLIT = "A batch of texts did not fit into memory and was worked off in parts, as others will be."


def batchwise(
    work: Work[Row, Result], batches: Iterable[list[Row]], too_large: Callable[[Row], UserError], context: RunContext
) -> Iterator[Result]:
    """The results of each batch, in the order of its rows.

    Args:
        work: Gives the results of a list of rows; those of its parts, one behind the other, must do as well.
        batches: None of them empty.
        too_large: The error for a row that does not fit alone.
        context: Is asked before each batch, and told once where memory does not do.

    Raises:
        UserError: A row does not fit alone; and whatever the context raises to stop the run.
    """
    for batch in batches:
        context.step()
        yield from _in_parts(work, batch, too_large, context)


def _in_parts(
    work: Work[Row, Result], rows: list[Row], too_large: Callable[[Row], UserError], context: RunContext
) -> list[Result]:
    import torch  # models that need it are loaded by then

    try:
        return list(work(rows))
    except torch.OutOfMemoryError:
        if len(rows) == 1:
            raise too_large(rows[0]) from None
    torch.cuda.empty_cache()  # behind the except clause: within it the error still holds what was allocated
    context.say_once(SPLIT)
    half = len(rows) // 2
    return [*_in_parts(work, rows[:half], too_large, context), *_in_parts(work, rows[half:], too_large, context)]

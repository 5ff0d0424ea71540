"""The contract of a tool format: how a tool's table is recognised, what its columns mean, and what its rows hold."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.imported_judgements.rows import UnfoldedRow, unchanged

NO_SPANS = "its marked spans cannot be read"
Cells = Mapping[str, str]
Guess = Callable[[Sequence[str], Sequence[Cells], Collection[str], Collection[str]], dict[str, str]]


@dataclass(frozen=True)
class ToolFormat:
    """`guess(columns, first rows, criteria, systems)` is a meaning for each column that has one.

    `unfold` makes of a row what it holds: nothing of a further header, several rows where one holds several people's.
    `finds_ratings`: it finds ratings by itself, so that no column needs to be one; so for raters `finds_raters`.
    `reads`: whether it reads a column by itself, which the page then leaves out. `refuse` is why such a table holds no
    judgement, "" where it does. `short_rows`: rows may end before the last columns.
    """

    title: str
    about: str
    url: str
    fits: Callable[[Sequence[str], Sequence[Cells]], bool]
    guess: Guess
    unfold: Callable[[Cells], Iterator[UnfoldedRow]] = unchanged
    finds_ratings: bool = False
    finds_raters: Callable[[Sequence[str]], bool] = lambda columns: False
    reads: Callable[[str], bool] = lambda column: False
    short_rows: bool = False
    refuse: Callable[[Sequence[str]], str] = lambda columns: ""

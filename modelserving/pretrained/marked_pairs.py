"""References with marked full forms, for models whose tokenizers lose where a bracket stands close to a word.

'pt[patient]' and 'pt [patient]' are the same pieces of words, and only of the former the abbreviation is left out.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from corpora.knowledge.brackets import without_abbreviations
from modelserving.training.dataset import DevSet, Pairs, TrainingData


class Changed(Sequence[str]):
    """Lines, each changed when it is asked for."""

    def __init__(self, lines: Sequence[str], change: Callable[[str], str]) -> None:
        self.lines, self.change = lines, change

    def __len__(self) -> int:
        return len(self.lines)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return list(map(self.change, self.lines[place]))
        return self.change(self.lines[place])


def with_marks(data: TrainingData) -> TrainingData:
    """The data with the marked rewrites, abbreviations left out, as targets and as references."""
    if not data.has_marks:
        return data
    references = [Changed(lines, without_abbreviations) for lines in data.dev.marked]
    return replace(
        data,
        train=Pairs(data.train.sources, Changed(data.train.marked, without_abbreviations)),
        dev=DevSet(data.dev.sources, references),
    )

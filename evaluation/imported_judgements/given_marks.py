"""Marks in judged texts on their way in: those of a text gathered from its rows, and their score by MQM's weights."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from annotation.marked_texts import Mark, cost_of, realigned
from corpora.table_parser import RowProblems
from evaluation.imported_judgements.placed_marks import NOWHERE, Placed, mark_of
from evaluation.imported_judgements.rows import RawJudgement
from evaluation.imported_judgements.text_matching import MatchedText
from foundation.text_keys import text_key

Scored = tuple[int, RawJudgement, MatchedText]
"""A judgement with its place in the table."""


class MarkedOutput(NamedTuple):
    """One worker's marks in a text; `system` is "" where the marks are of the text, whoever wrote it."""

    sentence: int
    text: str
    system: str
    worker: str
    marks: list[Mark]


@dataclass
class _Gathered:
    read: int
    piece: RawJudgement
    matched: MatchedText
    marks: list[Mark] = field(default_factory=list)


class GivenMarks:
    """The marks of a table, by rater, source, text and system. Rows add to each other, or the last one counts.

    A text one of whose marks is nowhere in it has none: with the others alone it would look better than it is.
    """

    def __init__(self) -> None:
        self.found: dict[tuple[str, int, str, str], _Gathered] = {}

    def add(self, read: int, piece: RawJudgement, matched: MatchedText, problems: RowProblems) -> None:
        key = (piece.rater, matched.sentence, text_key(matched.output), matched.system)
        if not piece.adds:
            self.found.pop(key, None)
        own = self.found.setdefault(key, _Gathered(read, piece, matched))
        texts = {"source": (piece.source, matched.source), "output": (piece.output, matched.output)}
        for told in piece.marks or ():
            given_texts = piece.source or matched.source, piece.output or matched.output
            mark = mark_of(told, *given_texts) if isinstance(told, Placed) else told
            if mark is None:
                problems.add(NOWHERE, piece.line)
                del self.found[key]
                return
            given, text = texts[mark["side"]]
            own.marks += realigned([mark], given or text, text)

    def scored(self, problems: RowProblems) -> Iterator[Scored]:
        """A judgement of each text by what its marks cost; a problem where no weight names the severity of one.

        Marks of a table that has no severity at all cost nothing that could be compared.
        """
        if any(own.marks for own in self.found.values()) and not any(
            mark["severity"] for own in self.found.values() for mark in own.marks
        ):
            return
        for own in self.found.values():
            value = cost_of(own.marks)
            if value is None:
                problems.add("no weight names the severity of a mark, so the text has no score of its marks",
                             own.piece.line)  # fmt: skip
            else:
                yield own.read, own.piece._replace(value=f"{value:.9g}"), own.matched

    def marked(self, people: Mapping[str, str]) -> list[MarkedOutput]:
        """In the order of places; `people` are the names that raters have in the study."""
        return [
            MarkedOutput(
                own.matched.sentence, own.matched.output, own.matched.system,
                people.get(own.piece.rater, own.piece.rater),
                sorted(own.marks, key=lambda mark: (mark["side"] == "output", mark["start"], mark["end"])),
            )
            for own in self.found.values()
        ]  # fmt: skip

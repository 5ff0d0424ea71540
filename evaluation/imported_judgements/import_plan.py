"""What will happen to a table of judgements: what comes in, in numbers, and what is asked before."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from corpora.formats import Judgement
from corpora.table_parser import Note

LEAVE_OUT = ("leave_out", "Leave them out")


@dataclass
class Question:
    """A question; `choices` are (value, words), and `answer` is "" while it is open."""

    name: str
    sentence: str
    choices: Sequence[tuple[str, str]]
    answer: str = ""


@dataclass
class ImportPlan:
    """What will happen. `judgements` come in, and `criteria`, new ones among them, are what they are of.

    `poles` are the styles that the ends of their scales mean, where the names of the styles do not say it.
    """

    preset: str
    judgements: list[Judgement] = field(default_factory=list)
    criteria: list[dict[str, str]] = field(default_factory=list)
    poles: dict[str, str] = field(default_factory=dict)
    numbers: list[tuple[str, int]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    nothing: str = ""

    @property
    def open(self) -> list[Question]:
        return [question for question in self.questions if not question.answer]

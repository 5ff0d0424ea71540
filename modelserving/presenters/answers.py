"""A question's answers as the page shows them."""

from dataclasses import dataclass
from typing import Any

from foundation.word_diff import Piece
from modelserving.presenters.changes import marked_changes
from modelserving.presenters.labels import label_of, moment
from modelserving.typed_sentences import questions
from modelserving.typed_sentences.questions import Answer, AskedModel, Question

QUICK, SLOW, SLOW_AFTER = 1, 3, 15  # seconds


@dataclass(frozen=True)
class AnswerView:
    """A model's answer; `pieces` marks what it changed of the text."""

    asked: AskedModel
    answer: Answer
    pieces: list[Piece]
    unchanged: bool

    @property
    def label(self) -> str:
        return label_of(self.asked.model)

    @property
    def took(self) -> str:
        return moment(self.answer.seconds)

    @property
    def loading(self) -> str:
        return moment(self.answer.loading) if self.answer.loading else ""


def answers_context(question: Question) -> dict[str, Any]:
    """What the part with the answers is made of."""
    answers = question.answers()
    return {
        "question": question,
        "answers": [_shown(question, *one) for one in zip(question.models, answers, strict=True)],
        "there": sum(answer.state in (questions.DONE, questions.FAILED) for answer in answers),
        "over": questions.is_over(question, answers),
        "missed": questions.is_missed(question, answers),
        "wait": QUICK if question.age < SLOW_AFTER else SLOW,
    }


def _shown(question: Question, asked: AskedModel, answer: Answer) -> AnswerView:
    same = answer.state == questions.DONE and answer.text == question.text
    return AnswerView(asked, answer, marked_changes(question.text, answer.text), same)

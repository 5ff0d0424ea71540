"""Sentences that people type, and the models' answers to them, on their way between web and the worker of `serve`.

Both travel through the cache, under a key that only its asker is told, and are gone after ten minutes. Each model of a
question is a task of its own: its answer is read as soon as it is there. No torch here: the web asks and reads, the
worker answers (`answering.py`).
"""

import secrets
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from celery import current_app
from django.core.cache import cache
from kombu.exceptions import OperationalError

from corpora.models import Direction, Study
from foundation.errors import UserError
from modelserving.ready_models.candidates import Candidate, candidates_of

TASK = "modelserving.tasks.answer"
CACHE_SECONDS = 600
PATIENCE_SECONDS = 120  # that a question waits for the worker
MISSED_AFTER_SECONDS = 6  # without a sign of the worker
MOST_TEXT = 2_000  # characters
MOST_MODELS = 12  # that answer a question
MOST_OPEN = 2  # questions of a person at a time
WAITING, WORKING, DONE, FAILED = "waiting", "working", "done", "failed"
BUSY = "answers:busy"


@dataclass(frozen=True)
class AskedModel:
    """A model of a question: its candidate's key, its name as it is shown, and its checkpoint's row."""

    key: str
    name: str
    model: str
    checkpoint: int | None = None


@dataclass(frozen=True)
class Answer:
    """How far a model is with a question. `seconds` is how long it took to answer, `loading` to be loaded before."""

    state: str = WAITING
    text: str = ""
    error: str = ""
    seconds: float = 0.0
    loading: float = 0.0


@dataclass(frozen=True)
class Question:
    """A sentence, the direction, and the models that answer."""

    key: str
    person: int
    study: int
    text: str
    direction: tuple[str, str]
    models: tuple[AskedModel, ...]
    at: float = field(default_factory=time.time)

    def answers(self) -> list[Answer]:
        """As far as they are, in the order of the models."""
        stored = cache.get_many([_cache_key(self.key, number) for number in range(len(self.models))])
        return [Answer(**stored.get(_cache_key(self.key, number), {})) for number in range(len(self.models))]

    @property
    def age(self) -> float:
        """Seconds since it was asked."""
        return time.time() - self.at

    @property
    def late(self) -> bool:
        """Whether nobody works on it any more."""
        return self.age > 2 * PATIENCE_SECONDS


def offered(study: Study, direction: Direction) -> list[Candidate]:
    """The models of a study that answer in a direction; those that need no training first, then the newest."""
    served = [one for one in candidates_of(study) if one.serves(direction)]
    return sorted(served, key=lambda one: one.checkpoint is not None)[:MOST_MODELS]


def ask(
    *, study: Study, person: Any, text: str, direction: Direction, models: Sequence[str] = (), instead: str = ""
) -> Question:
    """Have models answer (all that are offered, or those of `models`); `instead` is a question that is given up for it.

    A UserError where the text is empty or too long, no model serves, or the person waits for others already.
    """
    text = _checked(text)
    chosen = _chosen(offered(study, direction), models, direction)
    if instead:
        forget(instead, person)
    question = Question(
        secrets.token_urlsafe(18), person.pk, study.pk, text, (direction.source_style, direction.target_style),
        tuple(AskedModel(one.key, one.name, one.model, one.checkpoint and one.checkpoint.pk) for one in chosen),
    )  # fmt: skip
    _remember_open(question)
    store_question(question)
    try:
        for number in range(len(question.models)):
            current_app.send_task(TASK, args=[question.key, number], queue="serve", expires=PATIENCE_SECONDS)
    except OperationalError:
        raise UserError("The queue cannot be reached; try again in a moment.") from None
    return question


def store_question(question: Question) -> None:
    """Have it found by its key, for ten minutes."""
    cache.set(_cache_key(question.key), asdict(question), CACHE_SECONDS)


def question_of_person(key: str, person: Any, study: Study) -> Question | None:
    """The person's own question in this study; None where it is another's, or gone."""
    question = question_of(key)
    if question is None or (question.person, question.study) != (person.pk, study.pk):
        return None
    return question


def question_of(key: str) -> Question | None:
    """The question of a key, as long as it is kept."""
    kept = cache.get(_cache_key(key))
    if kept is None:
        return None
    models = tuple(AskedModel(**one) for one in kept["models"])
    return Question(**{**kept, "models": models, "direction": tuple(kept["direction"])})


def forget(key: str, person: Any) -> None:
    """Give up a question of the person's: who has not begun to answer it does not."""
    question = question_of(key)
    if question is not None and question.person == person.pk:
        cache.delete(_cache_key(key))


def store_answer(key: str, number: int, answer: Answer) -> None:
    """Keep how far a model is."""
    cache.set(_cache_key(key, number), asdict(answer), CACHE_SECONDS)


def is_over(question: Question, answers: Sequence[Answer]) -> bool:
    """Whether nothing more will come."""
    return question.late or all(answer.state in (DONE, FAILED) for answer in answers)


def is_missed(question: Question, answers: Sequence[Answer]) -> bool:
    """Whether the worker gives no sign: it has begun nothing of this question, and nothing else, for some seconds."""
    silent = all(answer.state == WAITING for answer in answers)
    return silent and question.age > MISSED_AFTER_SECONDS and not cache.get(BUSY)


def _cache_key(key: str, number: int | None = None) -> str:
    return f"answers:{key}" if number is None else f"answers:{key}:{number}"


def _checked(text: str) -> str:
    text = text.strip()
    if not text:
        raise UserError("Type a sentence.", where="text")
    if len(text) > MOST_TEXT:
        raise UserError(
            "A text that is tried has at most {most_text:,} characters; this one has {text_count:,}. "
            "Longer ones go through a file.",
            most_text=MOST_TEXT,
            text_count=len(text),
            where="text",
        )
    return " ".join(text.split())


def _chosen(there: Sequence[Candidate], wanted: Sequence[str], direction: Direction) -> list[Candidate]:
    if not there:
        raise UserError(
            "The study has no model from {source_style} to {target_style} yet; train or import one.",
            source_style=direction.source_style,
            target_style=direction.target_style,
            where="direction",
        )
    known: Mapping[str, Candidate] = {one.key: one for one in there}
    for key in wanted:
        if key not in known:
            raise UserError("There is no model '{key}' for this direction.", key=key, where="models")
    return [known[key] for key in dict.fromkeys(wanted)] if wanted else list(there)


def _remember_open(question: Question) -> None:
    """Note that the person waits for it; a UserError where they wait for too many."""
    place = f"asked-by:{question.person}"
    waiting = [key for key in cache.get(place, []) if _is_open(key)]
    if len(waiting) >= MOST_OPEN:
        raise UserError("Your sentences before this one are still being answered; wait for them.", where="text")
    cache.set(place, [*waiting, question.key], CACHE_SECONDS)


def _is_open(key: str) -> bool:
    question = question_of(key)
    return question is not None and not is_over(question, question.answers())

"""Answers to typed sentences: questions and answers in Redis, and the worker that keeps models loaded."""

import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from celery import current_app
from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache
from kombu.exceptions import OperationalError

from corpora.models import Direction, Study
from foundation.errors import UserError
from modelserving import artifacts
from modelserving.models import Checkpoint
from modelserving.outside_services import TypedContext, refuse_outside
from modelserving.ready_models import Candidate, candidates_of, devices_for, release_memory
from modelserving.room import TIMES, first_with_room
from modelserving.transfer import TRANSFERS, Model

# Sentences that people type, and the models' answers to them, on their way between web and the worker of `serve`.
#
# Both travel through the cache, under a key that only the asker is told, and expire after ten minutes. Each model of a
# question is a task of its own: its answer is read as soon as it is there. No torch here: the web asks and reads, the
# worker answers.

TASK = "modelserving.tasks.answer"
CACHE_SECONDS = 600
PATIENCE_SECONDS = 120  # for which a question waits for the worker
MISSED_AFTER_SECONDS = 6  # without a sign of the worker
MOST_TEXT = 2_000  # characters
MOST_MODELS = 12  # that answer a question
MOST_OPEN = 2  # questions of a person at a time
WAITING, WORKING, DONE, FAILED = "waiting", "working", "done", "failed"
BUSY = "answers:busy"


@dataclass(frozen=True)
class AskedModel:
    """A model of a question: its candidate's key, its displayed name, and its checkpoint's row."""

    key: str
    name: str
    model: str
    checkpoint: int | None = None


@dataclass(frozen=True)
class Answer:
    """A model's progress with a question. `seconds` is the time that it took to answer, `loading` to load before."""

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
        """The answers so far, in the order of the models."""
        stored = cache.get_many([_cache_key(self.key, number) for number in range(len(self.models))])
        return [Answer(**stored.get(_cache_key(self.key, number), {})) for number in range(len(self.models))]

    @property
    def age(self) -> float:
        """Seconds since it was asked."""
        return time.time() - self.at

    @property
    def late(self) -> bool:
        """Whether nobody works on it any longer."""
        return self.age > 2 * PATIENCE_SECONDS


def offered(study: Study, direction: Direction) -> list[Candidate]:
    """The models of a study that answer in a direction; those that need no training first, then the newest."""
    served = [one for one in candidates_of(study) if one.serves(direction)]
    return sorted(served, key=lambda one: one.checkpoint is not None)[:MOST_MODELS]


def ask(
    *, study: Study, person: Any, text: str, direction: Direction, models: Sequence[str] = (), instead: str = ""
) -> Question:
    """Have models answer (all that are offered, or those of `models`); `instead` is a question that is given up for it.

    A UserError where the text is empty or too long, no model serves, or the person already waits for other questions.
    """
    text = _checked(text)
    chosen = _chosen(offered(study, direction), models, direction)
    if instead:
        forget(instead, person)
    asked = (AskedModel(one.key, one.name, one.model, one.checkpoint.pk if one.checkpoint else None) for one in chosen)
    styles = direction.source_style, direction.target_style
    question = Question(secrets.token_urlsafe(18), person.pk, study.pk, text, styles, tuple(asked))
    _remember_open(question)
    store_question(question)
    try:
        for number in range(len(question.models)):
            current_app.send_task(TASK, args=[question.key, number], queue="serve", expires=PATIENCE_SECONDS)
    except OperationalError:
        raise UserError("The queue cannot be reached; try again in a moment.") from None
    return question


def store_question(question: Question) -> None:
    """Store it under its key, for ten minutes."""
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
    """Give up a question of the person's: a model that has not begun to answer it does not begin."""
    question = question_of(key)
    if question is not None and question.person == person.pk:
        cache.delete(_cache_key(key))


def store_answer(key: str, number: int, answer: Answer) -> None:
    """Keep a model's progress."""
    cache.set(_cache_key(key, number), asdict(answer), CACHE_SECONDS)


def is_over(question: Question, answers: Sequence[Answer]) -> bool:
    """Whether nothing more will come."""
    return question.late or all(answer.state in (DONE, FAILED) for answer in answers)


def is_missed(question: Question, answers: Sequence[Answer]) -> bool:
    """Whether the worker gives no sign: for some seconds it has begun neither this question nor anything else."""
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


# The worker of the queue `serve`: models stay loaded between sentences, as many as RESTYLE_SERVE_MODELS says.

BUSY_SECONDS = 180
logger = logging.getLogger(__name__)


class ModelCache:
    """The loaded models of this process, the least recently used first; at most `most` of them."""

    def __init__(self) -> None:
        self._models: OrderedDict[str, Model] = OrderedDict()

    def model(self, asked: AskedModel, most: int) -> tuple[Model, float]:
        """The model, and the seconds that it took to load: 0 where it was there."""
        checkpoint = _checkpoint(asked)
        key = f"{asked.model} {checkpoint.sha256 if checkpoint else ''}"
        if key in self._models:
            self._models.move_to_end(key)
            return self._models[key], 0.0
        began = time.monotonic()
        while len(self._models) >= max(1, most):
            self._models.popitem(last=False)
            release_memory()
        self._models[key] = _load(asked.model, checkpoint)
        return self._models[key], time.monotonic() - began

    def names(self) -> list[str]:
        """The names of the loaded models, the least recently used first."""
        return [key.partition(" ")[0] for key in self._models]


MODEL_CACHE = ModelCache()


def answer(key: str, number: int) -> None:
    """Answer a question with one of its models; nothing is done if it was given up."""
    question = question_of(key)
    if question is None or question.late:
        return
    cache.set(BUSY, True, BUSY_SECONDS)
    store_answer(key, number, Answer(WORKING))
    try:
        store_answer(key, number, _answered(question, question.models[number]))
    except UserError as error:
        store_answer(key, number, Answer(FAILED, error=str(error)))
    except SoftTimeLimitExceeded:
        store_answer(key, number, Answer(FAILED, error="The model took too long and was stopped."))
    except Exception:
        logger.exception("A model failed at a sentence")
        store_answer(key, number, Answer(FAILED, error="The model stopped at an error of the program."))
    finally:
        cache.delete(BUSY)


def _answered(question: Question, asked: AskedModel) -> Answer:
    study = Study(pk=question.study)
    refuse_outside(study, TRANSFERS[asked.model], _checkpoint(asked))
    model, loading = MODEL_CACHE.model(asked, settings.SERVE_MODELS)
    began = time.monotonic()
    decoding = TRANSFERS[asked.model].usual_decoding()
    context = TypedContext(question.study)
    model = model.within(context)
    text = next(iter(model.transfer([question.text], model.known_as(question.direction), decoding)), "")
    context.refuse_nothing(len(text))
    return Answer(DONE, text=text, seconds=time.monotonic() - began, loading=loading)


def _checkpoint(asked: AskedModel) -> Checkpoint | None:
    if asked.checkpoint is None:
        return None
    checkpoint = Checkpoint.objects.filter(pk=asked.checkpoint).first()
    if checkpoint is None:
        raise UserError("The checkpoint was removed.")
    return checkpoint


def _load(name: str, checkpoint: Checkpoint | None) -> Model:
    kind = TRANSFERS[name]
    folder = None if checkpoint is None else artifacts.local_copy(checkpoint)
    needed = TIMES * checkpoint.size if checkpoint else 0
    return kind.load(folder, first_with_room(devices_for(kind, "auto"), needed))

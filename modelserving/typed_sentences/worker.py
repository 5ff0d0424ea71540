"""The worker of the queue `serve`: models stay loaded between sentences, as many as RESTYLE_SERVE_MODELS says."""

import logging
import time
from collections import OrderedDict

from celery.exceptions import SoftTimeLimitExceeded
from django.conf import settings
from django.core.cache import cache

from corpora.models import Study
from foundation.errors import UserError
from modelserving.artifacts import storage
from modelserving.models import Checkpoint
from modelserving.outside_services.study_context import TypedContext
from modelserving.outside_services.terms import refuse_outside
from modelserving.ready_models.devices import devices_for, release_memory
from modelserving.transfer import TRANSFERS, Model
from modelserving.typed_sentences import questions
from modelserving.typed_sentences.questions import Answer, AskedModel, Question

BUSY_SECONDS = 180
logger = logging.getLogger(__name__)


class ModelCache:
    """The models of this process, the least recently used first; at most `most` of them."""

    def __init__(self) -> None:
        self._models: OrderedDict[str, Model] = OrderedDict()

    def model(self, asked: AskedModel, most: int) -> tuple[Model, float]:
        """The model, and how many seconds it took to load: 0 where it was there."""
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
        """What is loaded, the least recently used first."""
        return [key.partition(" ")[0] for key in self._models]


MODEL_CACHE = ModelCache()


def answer(key: str, number: int) -> None:
    """Answer a question with one of its models; nothing is done where it was given up."""
    question = questions.question_of(key)
    if question is None or question.late:
        return
    cache.set(questions.BUSY, True, BUSY_SECONDS)
    questions.store_answer(key, number, Answer(questions.WORKING))
    try:
        questions.store_answer(key, number, _answered(question, question.models[number]))
    except UserError as error:
        questions.store_answer(key, number, Answer(questions.FAILED, error=str(error)))
    except SoftTimeLimitExceeded:
        questions.store_answer(key, number, Answer(questions.FAILED, error="The model took too long and was stopped."))
    except Exception:
        logger.exception("A model failed at a sentence")
        questions.store_answer(
            key, number, Answer(questions.FAILED, error="The model stopped at an error of the program.")
        )
    finally:
        cache.delete(questions.BUSY)


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
    return Answer(questions.DONE, text=text, seconds=time.monotonic() - began, loading=loading)


def _checkpoint(asked: AskedModel) -> Checkpoint | None:
    if asked.checkpoint is None:
        return None
    checkpoint = Checkpoint.objects.filter(pk=asked.checkpoint).first()
    if checkpoint is None:
        raise UserError("The checkpoint was removed.")
    return checkpoint


def _load(name: str, checkpoint: Checkpoint | None) -> Model:
    kind = TRANSFERS[name]
    folder = None if checkpoint is None else storage.local_copy(checkpoint)
    return kind.load(folder, devices_for(kind, "auto")[0])

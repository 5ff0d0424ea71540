from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson
from django.db import IntegrityError, connection, transaction
from django.db.models import Max, Model

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.documents import PreparedDocuments, prepare_documents
from corpora.formats import RawDocument
from corpora.models import Document, DocumentSentence, Question, Study
from foundation.errors import UserError, first_five

BATCH = 1000
DOCUMENT = [
    "id",
    "study",
    "number",
    "style",
    "code",
    "title",
    "topic",
    "domain",
    "codes",
    "question",
    "split",
    "origin",
]
SENTENCE = ["document", "number", "section", "text", "translation", "flags", "held", "dropped"]


@dataclass(frozen=True)
class Added:
    """How many came in; `held` sentences wait for a decision on their flags, `empty` documents were left out."""

    documents: int
    sentences: int
    held: int
    empty: int

    @property
    def told(self) -> str:
        """The sentence about what came in."""
        parts = [f"{self.documents:,} documents with {self.sentences:,} sentences are in"]
        parts += [f"{self.held:,} sentences are held back until their flags are decided"] if self.held else []
        parts += [f"{self.empty:,} documents without text were left out"] if self.empty else []
        return "; ".join(parts) + "."


@audited
def add_documents(
    *,
    study: Study,
    documents: Iterable[RawDocument] | PreparedDocuments,
    style: str = "",
    origin: str = "",
    by: Any = None,
    hold_flagged: bool = True,
) -> Added:
    """Add documents behind those that a study has: all of them, or none and a UserError.

    Running text is split into sentences by the study's language; sentences with likely identifiers are held back from
    everybody's work until somebody decides, unless not `hold_flagged`. A code that the style has already is refused.
    Splitting happens before the study is locked; pass the result of `corpora.documents.prepare_documents` to have it
    done elsewhere.
    """
    ready = documents
    if not isinstance(ready, PreparedDocuments):
        ready = prepare_documents(ready, styles=study.styles, style=style, origin=origin, language=study.language)
    if not ready.documents:
        raise UserError("The file has no document with text.", where=ready.origin)
    with transaction.atomic():
        lock_study(study)
        _refuse_taken(study, ready)
        try:
            _write(study, ready, hold_flagged)
        except IntegrityError as error:
            raise UserError(
                "The documents contradict the study's own: {error}", error=error, where=ready.origin
            ) from None
    return Added(ready.documents, ready.sentences, ready.flagged if hold_flagged else 0, ready.empty)


def _refuse_taken(study: Study, ready: PreparedDocuments) -> None:
    codes = iter(ready.codes)
    while some := list(islice(codes, 10_000)):
        there = study.documents.filter(code__in=[code for _, code in some]).values_list("style", "code")
        taken = sorted(code for style, code in there if (style, code) in ready.codes)
        if taken:
            raise UserError(
                "The study has these documents already: {taken}.", taken=first_five(taken), where=ready.origin
            )


def _write(study: Study, ready: PreparedDocuments, hold: bool) -> None:
    number = study.documents.aggregate(last=Max("number"))["last"] or 0
    questions = dict(study.questions.values_list("code", "pk"))
    rows = iter(ready)
    while batch := list(islice(rows, BATCH)):
        _ask(study, questions, batch)
        keys = _next_keys(Document, len(batch))
        copy_rows(Document, DOCUMENT, (
            (key, study.pk, number + place, one["style"], one["code"], one["title"], one["topic"], one["domain"],
             one["codes"], one["question"] and questions[one["question"]["code"]], "", ready.origin[:200])
            for place, (key, one) in enumerate(zip(keys, batch, strict=True), 1)
        ))  # fmt: skip
        copy_rows(DocumentSentence, SENTENCE, _sentences(keys, batch, hold))
        number += len(batch)


def _sentences(keys: list[int], batch: list[dict[str, Any]], hold: bool) -> Iterator[tuple[Any, ...]]:
    for key, one in zip(keys, batch, strict=True):
        for number, (section, text, translation, flags) in enumerate(one["sentences"], 1):
            yield key, number, section, text, translation, orjson.dumps(flags).decode(), hold and bool(flags), False


def _ask(study: Study, questions: dict[str, int], batch: list[dict[str, Any]]) -> None:
    """Make the questions that are new; one that is there stays as it is."""
    for one in batch:
        asked = one["question"]
        if asked and asked["code"] not in questions:
            made = Question.objects.create(study=study, number=len(questions) + 1, **asked)
            questions[made.code] = made.pk


def _next_keys(model: type[Model], count: int) -> list[int]:
    """Keys that nobody else gets, so that rows of two tables can be copied without asking back."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)",
            [model._meta.db_table, count],
        )
        return [key for (key,) in cursor.fetchall()]

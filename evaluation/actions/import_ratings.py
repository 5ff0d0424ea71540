from collections.abc import Iterable, Sequence
from typing import Any

import orjson
from django.db import transaction
from django.db.models import Max

from accounts.audit import audited
from annotation.models import Criterion
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.formats import Judgement as Given
from corpora.models import Study
from evaluation.imported_judgements.given_marks import MarkedOutput
from evaluation.imported_judgements.text_matching import SentencesByText
from evaluation.models import ImportedMarks, Judgement, RatingsImport
from foundation.errors import UserError, first_five
from foundation.text_keys import text_key


@audited
@transaction.atomic
def import_ratings(
    *, study: Study, format: str, file_name: str, judgements: Sequence[Given], marks: Sequence[MarkedOutput] = (),
    by: Any = None,
) -> RatingsImport:  # fmt: skip
    """Store judgements that were collected elsewhere, and marks in the judged texts; each of a source of the study.

    The judgements of a source that stands twice in its direction are stored with the sentence that they number, else
    with the first one.
    """
    lock_study(study)
    number = (study.ratings_imports.aggregate(last=Max("number"))["last"] or 0) + 1
    ratings_import = RatingsImport.objects.create(
        study=study, number=number, format=format, file_name=file_name[:300], made_by=by
    )
    fields = ["ratings_import", "sentence", "criterion", "text_key", "system", "worker", "value", "seconds"]
    copy_rows(Judgement, fields, list(_rows(ratings_import, study, judgements)))
    copy_rows(ImportedMarks, MARK_FIELDS, list(_mark_rows(ratings_import, study, marks)))
    return ratings_import


def _rows(ratings_import: RatingsImport, study: Study, judgements: Sequence[Given]) -> Iterable[tuple[Any, ...]]:
    criteria = dict(Criterion.objects.filter(study=study).values_list("name", "pk"))
    systems = dict(study.systems.values_list("name", "pk"))
    by_text = SentencesByText(study)
    sentences = [by_text.find(one.source, one.target_style, one.number) for one in judgements]
    if None in sentences:
        unknown = [judgement.line for judgement, pk in zip(judgements, sentences, strict=True) if pk is None]
        lines = first_five(dict.fromkeys(unknown))
        raise UserError(
            "The study has no such source in that direction; see lines {lines}.",
            lines=lines,
            where=ratings_import.file_name,
        )
    _refuse_long(ratings_import.file_name, judgements)
    for judgement, sentence in zip(judgements, sentences, strict=True):
        yield (
            ratings_import.pk, sentence, criteria[judgement.criterion], text_key(judgement.output),
            systems.get(judgement.system), judgement.worker, float(judgement.value), judgement.seconds,
        )  # fmt: skip


MARK_FIELDS = ["ratings_import", "sentence", "system", "text", "worker", "marks"]


def _mark_rows(ratings_import: RatingsImport, study: Study, marks: Sequence[MarkedOutput]) -> Iterable[tuple[Any, ...]]:
    systems = dict(study.systems.values_list("name", "pk"))
    for one in marks:
        yield (
            ratings_import.pk,
            one.sentence,
            systems.get(one.system),
            one.text,
            one.worker,
            orjson.dumps(one.marks).decode(),
        )


def _refuse_long(file_name: str, judgements: Sequence[Given]) -> None:
    long = dict.fromkeys(judgement.line for judgement in judgements if len(judgement.worker) > 100)
    if long:
        raise UserError(
            "A worker's name has at most 100 characters; see lines {long}.", long=first_five(long), where=file_name
        )

from collections import Counter
from collections.abc import Mapping
from typing import Any

from django.db import connection, transaction

from accounts.trail import recorded
from corpora.actions.lock_study import lock_study
from corpora.models import Document, Sentence, Study
from corpora.signals import splitting
from corpora.splitting import RULES, checked_proportions, joined, shared_out
from foundation.errors import UserError

Counts = dict[str, Counter[str]]
"""{"documents": {"train": 525, ...}, "sentences": {...}}"""


@recorded
@transaction.atomic
def assign_splits(
    *, study: Study, rule: str, proportions: Mapping[str, float], seed: int = 1, by: Any = None
) -> Counts:
    """Share documents and source sentences out to train, tune and test, in per cent; answers how many are where.

    By `document`, versions of one text stay together, and sentences follow the document that they come from. By
    `question`, so do all documents of a question (PLABA: 70, 15, 15). At `random`, each sentence is drawn by itself,
    and documents only where none of their sentences is a source. Refused once a release was made of the study.
    """
    lock_study(study)
    splitting.send(sender=Study, study=study)
    if rule not in RULES:
        raise UserError(f"'{rule}' is no rule of splitting; it is {', '.join(RULES)}.", where="rule")
    whole = checked_proportions(proportions)
    documents = _units(study, rule)
    split_of = shared_out(sorted(set(documents.values())), whole, rule, "documents", seed=seed)
    own = {pk: split_of[unit] for pk, unit in documents.items()}
    sentences = _sentences(study, rule, own, whole, seed)
    if not own and not sentences:
        raise UserError("There is nothing to split yet.", where="rule")
    study.documents.update(split="")
    _write(Document, own)
    _write(Sentence, sentences)
    return {"documents": Counter(own.values()), "sentences": Counter(sentences.values())}


def _units(study: Study, rule: str) -> dict[int, int]:
    """For each document the unit that it goes with, named by one of its documents."""
    rows = list(study.documents.order_by("number").values_list("pk", "question_id"))
    if rule == "random":
        used = set(study.documents.filter(sentences__selected__isnull=False).values_list("pk", flat=True))
        return {pk: pk for pk, _ in rows if pk not in used}
    ties = list(study.document_links.values_list("source_id", "target_id"))
    if rule == "question":
        first: dict[int, int] = {}
        ties += [(first.setdefault(question, pk), pk) for pk, question in rows if question]
    return joined((pk for pk, _ in rows), ties)


def _sentences(
    study: Study, rule: str, documents: Mapping[int, str], proportions: Mapping[str, float], seed: int
) -> dict[int, str]:
    rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
    listed = list(rows.values_list("pk", "origin__document_id"))
    own = {pk: documents[origin] for pk, origin in listed if rule != "random" and origin in documents}
    rest = [pk for pk, _ in listed if pk not in own]
    return own | shared_out(rest, proportions, rule, "sentences", seed=seed)


def _write(model: Any, splits: Mapping[int, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {model._meta.db_table} t SET split = g.split "  # noqa: S608 (the name of our own table)
            "FROM unnest(%s::bigint[], %s::text[]) AS g(id, split) WHERE t.id = g.id",
            [list(splits), list(splits.values())],
        )

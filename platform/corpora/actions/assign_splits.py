from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.db import connection, transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.late_documents import late_splits
from corpora.models import Document, Reference, Sentence, Study
from corpora.splits import (
    BATCH,
    HELD_FROM,
    RULES,
    TEST,
    TUNE,
    HeldOut,
    connected_components,
    random_split,
    validate_proportions,
)
from corpora.texts.columns import plain
from corpora.texts.streamed_units import UnitTexts, stream_units
from corpora.texts.units import units_of
from corpora.trash import before_split
from foundation.errors import UserError
from foundation.text_keys import text_digest

Counts = dict[str, Counter[str]]
"""{"documents": {"train": 525, ...}, "sentences": {...}, "held_out": {"the test split of this study": 3}}"""


@audited
@transaction.atomic
def assign_splits(
    *, study: Study, rule: str, proportions: Mapping[str, float], seed: int = 1, by: Any = None
) -> Counts:
    """Share documents and source sentences out to train, tune and test, in per cent; answers how many are where.

    By `document`, versions of one text stay together, and sentences follow the document that they come from. By
    `question`, so do all documents of a question (PLABA: 70, 15, 15). At `random`, each sentence is drawn by itself,
    or each document in a study of documents, and documents otherwise only where none of their sentences is a source.
    Once a release was made of the study, only documents that have no split yet get one (`corpora.late_documents`), and
    the counts are of these; refused where there are none, or where the release was made of documents without splits.

    Where sentences are drawn by themselves, equal texts stay together, as sources or references of any direction, and
    texts in the test split of another study's release are for testing. `held_out` counts the sources to train or tune
    on that are in a further split all the same, since they follow their documents: trainings leave them out.
    """
    lock_study(study)
    released = any(answer for _, answer in before_split.send(sender=Study, study=study))
    if rule not in RULES:
        raise UserError(
            "'{rule}' is not a rule of splitting; the rules are {rules}.",
            rule=rule,
            rules=", ".join(RULES),
            where="rule",
        )
    whole = validate_proportions(proportions)
    if released:
        late = late_splits(study, rule, whole, seed)
        _write(Document, late)
        return {"documents": Counter(late.values()), "sentences": Counter(), "held_out": _held_out(study)}
    documents = _units(study, rule)
    split_of = random_split(sorted(set(documents.values())), whole, rule, "documents", seed=seed)
    own = {pk: split_of[unit] for pk, unit in documents.items()}
    sentences = _sentences(study, rule, own, whole, seed)
    if not own and not sentences:
        raise UserError("The study has no texts to split yet.", where="rule")
    study.documents.update(split="")
    _write(Document, own)
    _write(Sentence, sentences)
    return {"documents": Counter(own.values()), "sentences": Counter(sentences.values()), "held_out": _held_out(study)}


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
    return connected_components((pk for pk, _ in rows), ties)


def _sentences(
    study: Study, rule: str, documents: Mapping[int, str], proportions: Mapping[str, float], seed: int
) -> dict[int, str]:
    rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
    listed = list(rows.values_list("pk", "origin__document_id"))
    own = {pk: documents[origin] for pk, origin in listed if rule != "random" and origin in documents}
    rest = [pk for pk, _ in listed if pk not in own]
    together = _equal_documents(study, rest) if study.unit == Study.Unit.DOCUMENT else _equal(study, rest)
    drawn = random_split(sorted(set(together.values())), proportions, rule, "sentences", seed=seed)
    tested = _tested(study, together)
    return own | {pk: TEST if unit in tested else drawn[unit] for pk, unit in together.items()}


def _equal(study: Study, sentences: Sequence[int]) -> dict[int, int]:
    """For each sentence, the least one that shares a text with it, written or read."""
    first: dict[int, int] = {}
    ties = [(first.setdefault(key, pk), pk) for pk, key in _keys(study, sentences) if first.setdefault(key, pk) != pk]
    return connected_components(sentences, ties)


def _equal_documents(study: Study, sentences: Sequence[int]) -> dict[int, int]:
    """For each sentence, the least first sentence of the documents that share all of a text with its own."""
    home = {pk: unit.ids[0] for unit in units_of(study) for pk in unit.ids}
    first: dict[int, int] = {}
    ties = []
    for unit in _every_unit(study):
        for text in [unit.source, *(written.text for written in unit.references.values())]:
            ties.append((first.setdefault(text_digest(text), unit.id), unit.id))
    together = connected_components(home.values(), ties)
    return {pk: together[home[pk]] for pk in sentences}


def _every_unit(study: Study, split: str = "") -> Iterator[UnitTexts]:
    return stream_units(study, list(study.directions.order_by("number")), split)


def _sentences_of(unit: UnitTexts) -> Sequence[str]:
    return unit.sentences


def _keys(study: Study, sentences: Sequence[int]) -> Iterator[tuple[int, int]]:
    """(sentence, digest) of the texts of these sources and of their references."""
    wanted = set(sentences)
    rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
    for pk, text in rows.values_list("pk", "text").iterator(chunk_size=BATCH):
        if pk in wanted:
            yield pk, text_digest(text)
    written = Reference.objects.filter(set__direction__study=study).exclude(text="").order_by("pk")
    for pk, text, marks in written.values_list("sentence_id", "text", "set__marks").iterator(chunk_size=BATCH):
        if pk in wanted:
            yield pk, text_digest(plain(text, marks))


def _tested(study: Study, together: Mapping[int, int]) -> set[int]:
    """The units with a source in the test split of a release."""
    places = HeldOut(study, released=True)
    if study.unit == Study.Unit.DOCUMENT:
        units = _every_unit(study)
        free = {unit.id for unit in places.free(TUNE, units, lambda unit: [unit.source], parts=_sentences_of)}
        return {
            together[unit.ids[0]] for unit in units_of(study) if unit.ids[0] in together and unit.ids[0] not in free
        }
    rows = Sentence.objects.filter(direction__study=study).values_list("pk", "text").iterator(chunk_size=BATCH)
    left = ((pk, text) for pk, text in rows if pk in together)
    free = {pk for pk, _ in places.free(TUNE, left, lambda row: [row[1]])}
    return {unit for pk, unit in together.items() if pk not in free}


def _held_out(study: Study) -> Counter[str]:
    """The sources to train or tune on that are held out from there, counted by where they stand."""
    places, left = HeldOut(study), Counter[str]()
    for split in HELD_FROM:
        units = stream_units(study, list(study.directions.all()), split, references=False)
        parts = _sentences_of if study.unit == Study.Unit.DOCUMENT else None
        for _ in places.free(split, units, lambda unit: [unit.source], left, parts):
            pass
    return left


def _write(model: Any, splits: Mapping[int, str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {model._meta.db_table} t SET split = g.split "  # noqa: S608 (the name of our own table)
            "FROM unnest(%s::bigint[], %s::text[]) AS g(id, split) WHERE t.id = g.id",
            [list(splits), list(splits.values())],
        )

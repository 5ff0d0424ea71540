from collections.abc import Iterator
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Max, Q

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import Direction, Document, DocumentLink, DocumentSentence, Reference, ReferenceSet, Study
from foundation.errors import UserError

ORIGIN = "linked documents"


@audited
@transaction.atomic
def add_linked_references(*, direction: Direction, by: Any = None) -> ReferenceSet:
    """Take the linked documents of the direction's target style as a set of references, in a study of documents.

    The first source of a document gets all of its version in the target style, its other sources an empty text.
    Sentences of the version that are held back or dropped are left out. The first of several versions counts.
    """
    lock_study(direction.study)
    if direction.study.unit != Study.Unit.DOCUMENT:
        raise UserError(
            "Linked documents become references only if the study's unit is the document. The unit of this study "
            "is the sentence, and people align the sentences.",
            where=direction.name,
        )
    if direction.reference_sets.filter(origin=ORIGIN).exists():
        raise UserError("The study already has the linked documents as references; remove that set first.",
                        where=direction.name)  # fmt: skip
    rows = list(_rows(direction))
    if not rows:
        raise UserError("No document with a source is linked with one in {target_style}: link the documents first, "
"and choose sources among their sentences.", target_style=direction.target_style, where=direction.name)  # fmt: skip
    last = direction.reference_sets.aggregate(last=Max("number"))["last"]
    made = ReferenceSet.objects.create(direction=direction, number=0 if last is None else last + 1, origin=ORIGIN)
    copy_rows(Reference, ["set", "sentence", "text"], ((made.pk, *row) for row in rows))
    return made


def _rows(direction: Direction) -> Iterator[tuple[int, str]]:
    """Each source of a document that has a version with text: its key, and the text of its reference."""
    versions = _versions(direction)
    texts = _texts(set(versions.values()))
    sources = direction.sentences.filter(origin__document__in=versions).order_by("origin__document", "origin__number")
    listed = sources.values_list("origin__document", "pk")
    for document, of_one in groupby(listed, key=lambda row: row[0]):
        if text := texts.get(versions[document]):
            for place, (_, pk) in enumerate(of_one):
                yield pk, "" if place else text


def _versions(direction: Direction) -> dict[int, int]:
    """For each document of the source style that is linked, in either direction, its first one of the target style."""
    source, target = direction.source_style, direction.target_style
    links = DocumentLink.objects.filter(
        Q(source__style=source, target__style=target) | Q(source__style=target, target__style=source),
        study=direction.study,
    )
    own = set(Document.objects.filter(study=direction.study, style=source).values_list("pk", flat=True))
    found: dict[int, int] = {}
    for one, other in links.order_by("source__number", "target__number").values_list("source_id", "target_id"):
        found.setdefault(*((one, other) if one in own else (other, one)))
    return found


def _texts(documents: set[int]) -> dict[int, str]:
    rows = DocumentSentence.objects.filter(document__in=documents, held=False, dropped=False)
    listed = rows.order_by("document", "number").values_list("document", "text")
    return {document: " ".join(text for _, text in of_one).strip()
            for document, of_one in groupby(listed, key=lambda row: row[0])}  # fmt: skip

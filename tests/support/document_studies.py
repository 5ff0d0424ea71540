"""Studies whose unit is the document: documents cut into sentences, most of which have a rewrite, as PLABA has them."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.db.models import F
from support.campaigns import NUMBERS

from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.actions.select_sources import select_sources
from corpora.formats import RawDocument, RawSection
from corpora.models import Reference, ReferenceSet, Study
from corpora.source_selection import SelectionCriteria

SPLITS = ("train", "train", "train", "tune", "test")


def sentence(document: int, place: int) -> str:
    return f"Pts of d{document} had s{place} htn."


def rewrite(document: int, place: int) -> str:
    return f"Patients of d{document} had s{place} hypertension."


def document_study(
    sizes: Sequence[int] = (3, 1, 4, 2, 3),
    splits: Sequence[str] = SPLITS,
    without: Mapping[int, Sequence[int]] = MappingProxyType({}),
) -> Study:
    """A study of documents of so many sentences, in these splits; `without` are sentences that nobody rewrote.

    Sources are numbered backwards, so that their order is not that of the documents.
    """
    number = next(NUMBERS)
    study = create_study(slug=f"study-{number}", title=f"Documents {number}", styles=["expert", "lay"])
    edit_study(study=study, unit="document")
    direction = add_direction(study=study, source_style="expert", target_style="lay")
    raw = [
        RawDocument((RawSection("", tuple(sentence(n, place) for place in range(size))),), code=f"d{n}", line=n + 1)
        for n, size in enumerate(sizes)
    ]
    add_documents(study=study, documents=raw, style="expert", hold_flagged=False)
    for document, split in zip(study.documents.order_by("number"), splits, strict=True):
        document.split = split
        document.save()
    select_sources(direction=direction, wish=SelectionCriteria(rule="everything"))
    last = direction.sentences.count()
    direction.sentences.update(number=2 * last + 1 - F("number"))
    made = ReferenceSet.objects.create(direction=direction, number=1, origin="adaptations")
    for one in direction.sentences.select_related("origin__document"):
        document, place = int(one.origin.document.code[1:]), one.origin.number - 1
        if place not in without.get(document, ()):
            Reference.objects.create(set=made, sentence=one, text=rewrite(document, place))
    return study


def whole(document: int, places: Sequence[int], written: bool = False) -> str:
    """The text of a document, or of its rewrite."""
    return " ".join((rewrite if written else sentence)(document, place) for place in places)

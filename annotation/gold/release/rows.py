"""The rows of a release, streamed from a study: gold made in campaigns, imported gold, and unpaired sentences."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import orjson
from django.db import connection

from annotation.effective_annotations import ProductRow, products
from annotation.models import Campaign, Review
from annotation.pseudonyms import released_name
from corpora.database import stream_rows
from corpora.formats import GoldRow
from corpora.gold_records import concepts_of, row_from, texts_of
from corpora.knowledge.concepts import Linker, linker
from corpora.models import Document, Group, Question, Study
from foundation.errors import UserError

# Where the sources of gold stand in a study: their names, order, styles, split and domain.

LAST = 2**30  # behind every question
SENTENCES = """
SELECT s.id, s.number, s.split, s.domain, d.number, d.source_style, d.target_style
FROM corpora_sentence s JOIN corpora_direction d ON d.id = s.direction_id WHERE s.id = ANY(%s)
"""


class SourcePlace(NamedTuple):
    """`order` sorts sources as the published forms have them; `question` and `code` are an abstract's."""

    source_id: str
    order: tuple[int, int]
    styles: tuple[str, str]
    split: str
    domain: str = ""
    question: dict[str, str] | None = None
    code: str = ""


def source_places(study: Study, rows: Sequence[ProductRow]) -> list[SourcePlace]:
    """The place of each row, in their order, by one query for each kind of source.

    In a study without splits documents and groups are test: people worked on them (MSD).
    """
    styles = (study.styles[0], study.styles[1])
    about = [next((make, key) for make, key in zip(MAKERS, _keys(row), strict=True) if key) for row in rows]
    wanted: dict[Maker, set[int]] = {}
    for make, key in about:
        wanted.setdefault(make, set()).add(key)
    known = {make: make(keys, styles) for make, keys in wanted.items()}
    places = [known[make][key] for make, key in about]
    if any(not place.split for place in places):
        without = sorted({place.source_id for place in places if not place.split})
        places = [place._replace(split=place.split or _usual_split(study, "test", without)) for place in places]
    return places


def _usual_split(study: Study, usual: str, without: Sequence[str]) -> str:
    """The split of documents in a study that has no splits; a UserError where other documents have one."""
    if study.documents.exclude(split="").exists():
        raise UserError(
            "Some documents have no split, though others have one: {documents}. Split the texts: what has a split "
            "keeps it.",
            documents=", ".join(without[:5]) + (" …" if len(without) > 5 else ""),
            where="splits",
        )
    return usual


def _keys(row: ProductRow) -> tuple[int | None, ...]:
    return row.sentence_id, row.group_id, row.document_id, row.question_id


def _sentences(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    """Read the sentences by hand-written SQL, since there are many: Django writes a list of keys out one by one."""
    with connection.cursor() as cursor:
        cursor.execute(SENTENCES, [list(keys)])
        return {
            pk: SourcePlace(f"{source}-{target}-{number}", (direction, number), (source, target), split, domain)
            for pk, number, split, domain, direction, source, target in cursor.fetchall()
        }


def _groups(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    asked = Group.objects.filter(pk__in=keys).values_list(
        "pk", "number", "link__source__style", "link__target__style", "link__source__split", "link__source__domain"
    )
    return {
        pk: SourcePlace(f"group-{number}", (0, number), (source, target), split, domain)
        for pk, number, source, target, split, domain in asked
    }


def _documents(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    documents = Document.objects.filter(pk__in=keys).select_related("question")
    return {document.pk: _document(document, styles) for document in documents}


def _document(document: Document, styles: tuple[str, str]) -> SourcePlace:
    question = document.question
    target = next((style for style in styles if style != document.style), styles[1])
    return SourcePlace(
        source_id="-".join(filter(None, [question.code if question else "", document.code or str(document.number)])),
        order=(question.number if question else LAST, document.number),
        styles=(document.style, target),
        split=document.split,
        domain=document.domain or document.topic,
        question={"code": question.code, "text": question.text, "type": question.type} if question else None,
        code=document.code or str(document.number),
    )


def _questions(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    """A question has the split of its documents; one without such a document is test."""
    documents = Document.objects.filter(question__in=keys).exclude(split="").order_by("-number")
    splits = dict(documents.values_list("question_id", "split"))
    asked = Question.objects.filter(pk__in=keys).values_list("pk", "number", "code", "topic")
    return {
        pk: SourcePlace(f"question-{code}", (number, 0), styles, splits.get(pk, "test"), topic)
        for pk, number, code, topic in asked
    }


Maker = Callable[[set[int], tuple[str, str]], dict[int, SourcePlace]]
MAKERS: tuple[Maker, ...] = (_sentences, _groups, _documents, _questions)
"""In the order of `_keys`."""

BATCH = 2000
BEHIND = 2**31
"""Sentences that stand for themselves come behind all others."""
Order = tuple[int, int]

ALONE = """
SELECT s.id, s.text, s.number, d.number, d.style, d.domain,
       CASE WHEN d.split = '' AND EXISTS (
           SELECT 1 FROM corpora_sentence o JOIN corpora_documentsentence p ON p.id = o.origin_id
           WHERE p.document_id = d.id) THEN 'train' ELSE d.split END, d.code
FROM corpora_documentsentence s JOIN corpora_document d ON d.id = s.document_id
WHERE d.study_id = %(study)s AND d.style = ANY(%(styles)s) AND NOT s.held AND NOT s.dropped AND NOT EXISTS (
    SELECT 1 FROM corpora_group g JOIN corpora_documentlink l ON l.id = g.link_id
    WHERE g.sampled AND ((l.source_id = d.id AND s.section = ANY(g.source_sections))
                         OR (l.target_id = d.id AND s.section = ANY(g.target_sections))))
ORDER BY d.number, s.number
"""


class ReleaseRow(NamedTuple):
    """A row; `order` is the place of its source in the study, `identity` tells it from every other row.

    The same work has the same identity in every release, whatever became of its text.
    """

    row: GoldRow
    order: Order
    identity: str
    people: tuple[int, ...] = ()
    campaign: int | None = None
    version: int = 0
    answer: int | None = None


def release_rows(study: Study, settings: dict[str, Any], key: bytes) -> Iterator[ReleaseRow]:
    """All of it, streamed, in the order that the campaigns or the imported files have."""
    if settings["from"] == "imported":
        yield from _imported(study)
    else:
        yield from _release_rows(study, settings, key)
    if settings["alone"]:
        yield from unpaired_rows(study)


class ProducedRow(NamedTuple):
    """A row of gold that was made here, with the product it comes from and the place of that."""

    row: GoldRow
    product: ProductRow
    place: SourcePlace


def produced_rows(
    study: Study, slugs: Iterable[str], names: Mapping[int, str], *, unreviewed: bool = True
) -> Iterator[list[ProducedRow]]:
    """The work that stands in these campaigns, in batches; `names` are the pseudonyms of people."""
    campaigns = {campaign.pk: campaign for campaign in study.campaigns.filter(slug__in=slugs)}
    rows = products(study, campaigns=campaigns.values())
    while batch := list(islice(rows, BATCH)):
        reviewed = None if unreviewed else _reviewed(batch, campaigns)
        chosen = [row for row in batch if reviewed is None or row.answer_id in reviewed]
        places = zip(chosen, source_places(study, chosen), strict=True)
        yield [
            ProducedRow(_row(study, product, campaigns[product.campaign_id], place, names), product, place)
            for product, place in places
        ]


def _release_rows(study: Study, settings: dict[str, Any], key: bytes) -> Iterator[ReleaseRow]:
    seen: dict[str, int] = {}
    for batch in produced_rows(study, settings["campaigns"], _Names(key), unreviewed=settings["unreviewed"]):
        for row, product, place in batch:
            identity = _told_apart(f"{product.campaign_id}/{product.item_id}/{product.author}", seen)
            yield ReleaseRow(
                row, place.order, identity, tuple(product.people), product.campaign_id, product.guideline_version,
                product.answer_id,
            )  # fmt: skip


def _told_apart(identity: str, seen: dict[str, int]) -> str:
    """Several products of one answer are counted; only those of the item at hand are remembered."""
    if identity not in seen:
        seen.clear()
    seen[identity] = count = seen.get(identity, 0) + 1
    return f"{identity}/{count}"


def _reviewed(rows: list[ProductRow], campaigns: dict[int, Campaign]) -> set[int]:
    """The answers that a reviewer accepted, and those of a stage that itself looked at somebody's work."""
    answers = [row.answer_id for row in rows]
    newest = Review.objects.filter(answer__in=answers).order_by("answer_id", "-made_at", "-pk").distinct("answer_id")
    verdicts = dict(newest.values_list("answer_id", "verdict"))
    later = {row.answer_id for row in rows if campaigns[row.campaign_id].after_id}
    return {answer for answer, verdict in verdicts.items() if verdict in ("accepted", "fixed")} | later


class _Names(dict[int, str]):
    """Pseudonyms by the release's own key: nobody without it leads one back, and the next release has others."""

    def __init__(self, key: bytes) -> None:
        super().__init__()
        self.key = key

    def __missing__(self, person: int) -> str:
        self[person] = released_name(self.key, person)
        return self[person]


def _row(study: Study, row: ProductRow, campaign: Campaign, place: SourcePlace, names: Mapping[int, str]) -> GoldRow:
    product, source_id, styles = row.product, place.source_id, place.styles
    if "original" in product:  # written back from the target style
        source_id, styles = f"{source_id}-back", styles[::-1]
    if product["kind"] == "adaptation":
        product = {**product, "question": place.question, "code": product["code"] or place.code}
    return GoldRow(
        kind=product["kind"],
        source_id=source_id,
        source_style=styles[0],
        target_style=styles[1],
        product=product,
        split=place.split,
        domain=place.domain,
        annotators=tuple(names[person] for person in row.people),
        written_at=_midnight(row.submitted_on),
        guideline_version=str(row.guideline_version),
        revision=row.revision,
        campaign=campaign.slug,
        study=study.slug,
        license=study.license,
    )


@lru_cache
def _midnight(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, tzinfo=UTC)


def _imported(study: Study) -> Iterator[ReleaseRow]:
    entries = study.imported_gold.order_by("place").values_list("place", "entry")
    for place, entry in entries.iterator(BATCH):
        row = row_from(orjson.loads(entry))
        yield ReleaseRow(row, (0, place), f"imported/{place}")


def unpaired_rows(study: Study) -> Iterator[ReleaseRow]:
    """Sentences of documents outside the groups that people were asked to work on, in the order of the documents.

    Each has its document's split, or is to train on in a study without splits and where sources of the document were
    drawn by themselves; the sentence's key ends its identity.
    """
    styles = (study.styles[0], study.styles[1])
    asked = {"study": study.pk, "styles": list(styles)}
    usual = ""
    for pk, text, number, document, style, domain, own, code in stream_rows(ALONE, asked, BATCH):
        split = own or (usual := usual or _usual_split(study, "train", [code or str(document)]))
        product = {"kind": "sentence", "text": text, "style": style}
        name = f"document-{document}-{number}"
        row = GoldRow("sentence", name, *styles, product, split, domain, study=study.slug, license=study.license)
        yield ReleaseRow(row, (BEHIND + document, number), f"sentence/{pk}")


def with_concepts(settings: Mapping[str, Any], rows: Iterable[ReleaseRow]) -> Iterator[ReleaseRow]:
    """The rows, each with the concepts of its texts where MSD's form is asked for; imported rows keep their own."""
    concept_linker = linker() if "msd" in settings["forms"] else None
    for release_row in rows:
        if concept_linker is None or release_row.row.extra:
            yield release_row
        else:
            yield _with_concepts(release_row, concept_linker)


def _with_concepts(release_row: ReleaseRow, concept_linker: Linker) -> ReleaseRow:
    product = release_row.row.product
    source, target = texts_of(product)
    sides = {"source": product["text"]} if release_row.row.kind == "sentence" else {"source": source, "target": target}
    concepts = {side: concepts_of(text, concept_linker.link(text)) for side, text in sides.items()}
    return release_row._replace(row=replace(release_row.row, extra={"concepts": concepts}))

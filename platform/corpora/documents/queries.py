"""What the pages and the API show of a study's documents: each with few queries."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from corpora.knowledge.identifiers import KINDS
from corpora.models import Document, DocumentSentence, Sentence, Study
from corpora.splits.random_split import SPLITS


@dataclass(frozen=True)
class Bar:
    """A row of a chart: its label, its count, and its share of all in per cent."""

    label: str
    count: int
    share: float


def bars(counts: Iterable[tuple[str, int]]) -> list[Bar]:
    """Rows in the order given, with their shares."""
    listed = list(counts)
    total = sum(count for _, count in listed) or 1
    return [Bar(str(label), count, round(100 * count / total, 1)) for label, count in listed]


def documents_of(study: Study, asked: Any) -> QuerySet[Document]:
    """The study's documents in order, those that the filters in `asked` (q, style, topic, question, split, flagged)
    leave."""
    rows = study.documents.select_related("question").order_by("number")
    if any("\0" in str(asked.get(name, "")) for name in ("q", "style", "topic", "question", "split")):
        return rows.none()  # no text in PostgreSQL holds it
    if text := asked.get("q", "").strip():
        rows = rows.filter(Q(title__icontains=text) | Q(code=text) | Q(codes__contains=[text]))
    for name, path in (("style", "style"), ("topic", "topic"), ("question", "question__code"), ("split", "split")):
        if value := asked.get(name, ""):
            rows = rows.filter(**{path: value})
    if asked.get("flagged"):
        rows = rows.filter(Exists(DocumentSentence.objects.filter(document=OuterRef("pk"), held=True)))
    return rows


def with_counts(documents: Iterable[Document]) -> list[Document]:
    """The documents, each with `sentence_count`, `held_count` and `dropped_count`."""
    listed = list(documents)
    counted = DocumentSentence.objects.filter(document__in=[one.pk for one in listed]).values("document")
    rows = counted.annotate(
        all=Count("pk"), held=Count("pk", filter=Q(held=True)), dropped=Count("pk", filter=Q(dropped=True))
    )
    counts = {row["document"]: row for row in rows.order_by()}
    for one in listed:
        row = counts.get(one.pk, {"all": 0, "held": 0, "dropped": 0})
        one.sentence_count, one.held_count, one.dropped_count = row["all"], row["held"], row["dropped"]
    return listed


def held_of(study: Study, *, kind: str = "", only: bool = False) -> QuerySet[DocumentSentence]:
    """The held sentences in order: with a flag of `kind`, or (`only`) with flags of no other kind."""
    rows = DocumentSentence.objects.filter(document__study=study, held=True).select_related("document")
    if kind:
        rows = rows.filter(flags__contains=[{"kind": kind}])
        for other in KINDS:
            if only and other != kind:
                rows = rows.exclude(flags__contains=[{"kind": other}])
    return rows.order_by("document__number", "number")


def held_by_kind(study: Study) -> list[tuple[str, int]]:
    """How many held sentences have flags of each kind; those with several kinds count for each."""
    counts = {kind: Count("pk", filter=Q(flags__contains=[{"kind": kind}])) for kind in KINDS}
    found = DocumentSentence.objects.filter(document__study=study, held=True).aggregate(**counts)
    return [(kind, found[kind]) for kind in KINDS if found[kind]]


def pieces(text: str, flags: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """The text cut at its flags: (piece, kind), where the kind of what is not flagged is empty."""
    cut, at = [], 0
    for flag in sorted(flags, key=lambda flag: flag["start"]):
        if flag["start"] >= at:
            cut += [(text[at : flag["start"]], ""), (text[flag["start"] : flag["end"]], flag["kind"])]
            at = flag["end"]
    return [(piece, kind) for piece, kind in [*cut, (text[at:], "")] if piece]


def split_counts(study: Study) -> dict[str, list[Bar]]:
    """How many documents and source sentences are in which split."""
    documents = dict(study.documents.values_list("split").annotate(n=Count("pk")).order_by())
    sentences = Sentence.objects.filter(direction__study=study)
    own = dict(sentences.values_list("split").annotate(n=Count("pk")).order_by())
    return {
        "documents": bars((name or "none", documents.get(name, 0)) for name in (*SPLITS, "")),
        "sentences": bars((name, own.get(name, 0)) for name in SPLITS),
    }


def sections_of(study: Study, most: int = 300) -> list[dict[str, Any]]:
    """The section titles with style, count of documents and element, most frequent first."""
    elements = {(style, section): element for style, section, element
                in study.section_elements.values_list("style", "section", "element")}  # fmt: skip
    rows = (
        DocumentSentence.objects.filter(document__study=study)
        .exclude(section="")
        .values("document__style", "section")
        .annotate(documents=Count("document", distinct=True))
        .order_by("-documents", "section", "document__style")
    )
    return [
        {"style": row["document__style"], "section": row["section"], "documents": row["documents"],
         "element": elements.get((row["document__style"], row["section"]), "")}
        for row in rows[:most]
    ]  # fmt: skip

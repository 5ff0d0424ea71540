"""What a study holds beside the texts that are judged: its corpus in numbers, for the papers' first tables."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q
from django.db.models.expressions import Value
from django.db.models.functions import Coalesce, NullIf

from corpora.models import DocumentSentence, Reference, Sentence, Study
from evaluation.snapshot.corpus_counts import CorpusCounts
from evaluation.snapshot_builder.bracketed_terms import without_brackets
from evaluation.snapshot_builder.texts import StudyTexts, elements_of

Texts = dict[tuple[str, str], list[str]]


def corpus_counts_of(study: Study, texts: StudyTexts) -> CorpusCounts:
    """Sources, pairs, texts by style and split, concepts, topics and sections."""
    documents = DocumentSentence.objects.filter(document__study=study, held=False, dropped=False)
    annotated, forms = _annotated(study)
    return CorpusCounts(
        sentences=_sources(study, Q()),
        pairs=_sources(study, Q(Exists(Reference.objects.filter(sentence=OuterRef("pk"))))),
        texts=_texts(study, documents),
        annotated=annotated,
        forms=forms,
        concepts=_concepts(study, documents),
        topics=_topics(documents),
        sections=_sections(study, documents),
    )


def _sources(study: Study, where: Q) -> Mapping[tuple[str, str, str, str], int]:
    fields = ("direction__source_style", "direction__target_style", "split", "domain")
    rows = Sentence.objects.filter(where, direction__study=study).values_list(*fields).annotate(n=Count("pk"))
    return {(source, target, split, domain): n for source, target, split, domain, n in rows.order_by(*fields)}


def _texts(study: Study, documents: Any) -> Texts:
    """Sources in their style, references in that of the target, and sentences of documents that are no source.

    A pair that is rewritten in both directions holds a text twice, as source and as reference: it counts once.
    """
    by_style: Texts = defaultdict(list)
    sources = Sentence.objects.filter(direction__study=study).order_by("pk")
    _add(by_style, sources.values_list("direction__source_style", "split", "text").iterator(10_000))
    left = {key: Counter(texts) for key, texts in by_style.items()}
    references = Reference.objects.filter(set__direction__study=study).order_by("pk")
    fields = ("set__direction__target_style", "sentence__split", "text", "set__marks")
    for style, split, text, marks in references.values_list(*fields).iterator(10_000):
        plain, held = without_brackets(text, marks).text, left.get((style, split))
        if held is not None and held[plain] > 0:
            held[plain] -= 1
        else:
            by_style[style, split].append(plain)
    unused = documents.filter(~Exists(Sentence.objects.filter(origin=OuterRef("pk")))).order_by("pk")
    _add(by_style, unused.values_list("document__style", "document__split", "text").iterator(10_000))
    return dict(by_style)


def _annotated(
    study: Study,
) -> tuple[dict[tuple[str, str, str], tuple[list[str], list[str]]], dict[tuple[str, str, str], list[int]]]:
    """What people worked on and what they made of it, by direction and split; and first references' full forms."""
    by_direction: dict[tuple[str, str, str], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    rewritten = Exists(Reference.objects.filter(sentence=OuterRef("pk")))
    sources = Sentence.objects.filter(rewritten, direction__study=study).order_by("pk")
    fields = ("direction__source_style", "direction__target_style", "split", "text")
    for source, target, split, text in sources.values_list(*fields).iterator(10_000):
        by_direction[source, target, split][0].append(text)
    references = Reference.objects.filter(set__direction__study=study).order_by("pk")
    fields = ("set__direction__source_style", "set__direction__target_style", "sentence__split")
    more = ("text", "set__marks", "sentence_id")
    forms: dict[tuple[str, str, str], dict[int, int]] = defaultdict(dict)
    for source, target, split, text, marks, sentence in references.values_list(*fields, *more).iterator(10_000):
        plain = without_brackets(text, marks)
        by_direction[source, target, split][1].append(plain.text)
        if plain.terms is not None:
            forms[source, target, split].setdefault(sentence, len(plain.terms))
    return dict(by_direction), {place: list(of.values()) for place, of in forms.items()}


def _add(by_style: Texts, rows: Iterable[tuple[str, str, str]]) -> None:
    for style, split, text in rows:
        by_style[style, split].append(text)


def _concepts(study: Study, documents: Any) -> Texts:
    """The identifiers of the concepts linked in each style and split, one for each mention."""
    by_style: Texts = defaultdict(list)
    sources = Sentence.objects.filter(direction__study=study, origin=None).exclude(concepts=None)
    linked = documents.exclude(concepts=None)
    for rows, style, split in (
        (sources, "direction__source_style", "split"),
        (linked, "document__style", "document__split"),
    ):
        for of, part, concepts in rows.order_by("pk").values_list(style, split, "concepts").iterator(10_000):
            by_style[of, part].extend(concept["cui"] for concept in concepts)
    return dict(by_style)


def _topics(documents: Any) -> Mapping[tuple[str, str], int]:
    topic = Coalesce(NullIf(F("document__topic"), Value("")), F("document__question__topic"), Value(""))
    rows = documents.annotate(of=topic).exclude(of="").values_list("document__style", "of").annotate(n=Count("pk"))
    return {(style, name): n for style, name, n in rows.order_by("document__style", "of")}


def _sections(study: Study, documents: Any) -> Mapping[tuple[str, str], int]:
    """By the element that a section stands for, where somebody said so, else by its title."""
    named = elements_of(study)
    rows = documents.exclude(section="").values_list("document__style", "section").annotate(n=Count("pk"))
    counts: Counter[tuple[str, str]] = Counter()
    for style, section, n in rows.order_by("document__style", "section"):
        counts[style, named.get((style, section), section)] += n
    return dict(counts)

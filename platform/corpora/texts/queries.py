"""Queries of a study's texts for the pages and the API: counts in one query, texts of a page in two."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from corpora.models import Direction, Output, Reference, ReferenceSet, Sentence, Study, System


def counted(model: Any, path: str, **rows: Any) -> Coalesce:
    """The number of rows of `model` whose `path` is the outer row."""
    inner = model.objects.filter(**{path: OuterRef("pk")}, **rows).order_by().values(path)
    return Coalesce(Subquery(inner.annotate(n=Count("pk")).values("n"), output_field=IntegerField()), Value(0))


def directions_of(study: Study) -> list[Direction]:
    """The study's directions with `train`, `tune`, `test`, `sentence_count` and `reference_set_count`."""
    by_split = {split: Count("sentences", filter=Q(sentences__split=split)) for split in Sentence.Split.values}
    return list(
        study.directions.annotate(
            sentence_count=Count("sentences"),
            reference_set_count=counted(ReferenceSet, "direction"),
            **by_split,
        ).order_by("number")
    )


def systems_of(study: Study) -> QuerySet[System]:
    """The study's systems with `output_count`, and with `missing_count` of the sources in the directions and splits in
    which they have outputs; a system without outputs counts all sources."""
    rows = study.systems.annotate(output_count=counted(Output, "system"))
    sources = Sentence.objects.filter(direction__study=study)
    parts = [*sources.order_by().values_list("direction", "split").annotate(n=Count("pk"))]
    asked: Any
    if len(parts) < 2:
        asked = Value(sum(n for *_, n in parts))
    else:
        asked = sum((_asked(*part) for part in parts), Value(0, output_field=IntegerField()))
    every = Value(sum(n for *_, n in parts))
    wanted = Case(When(output_count=0, then=every), default=asked, output_field=IntegerField())
    return rows.annotate(missing_count=wanted - F("output_count")).order_by("number")


def _asked(direction: int, split: str, n: int) -> Case:
    """The sources of each direction and split in which the system has an output."""
    there = Output.objects.filter(system=OuterRef("pk"), sentence__direction=direction, sentence__split=split)
    return Case(When(Exists(there), then=Value(n)), default=Value(0), output_field=IntegerField())


def with_texts(sentences: Iterable[Sentence]) -> list[Sentence]:
    """The sentences, each with `shown_references` and `shown_outputs`: lists of (name, text) in order.

    The name of a reference is its place, from 1.
    """
    listed = list(sentences)
    references, outputs = defaultdict(list), defaultdict(list)
    of_these = {"sentence__in": [one.pk for one in listed]}
    written = Reference.objects.filter(**of_these).order_by("set__number")
    for pk, number, text in written.values_list("sentence_id", "set__number", "text"):
        references[pk].append((number + 1, text))
    made = Output.objects.filter(**of_these).order_by("system__number")
    for pk, name, text in made.values_list("sentence_id", "system__name", "text"):
        outputs[pk].append((name, text))
    for one in listed:
        one.shown_references, one.shown_outputs = references[one.pk], outputs[one.pk]
    return listed

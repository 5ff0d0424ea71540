"""The sentences of a direction that a search, a split and an order ask for."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Length

from corpora.models import Direction, Reference, Sentence

WORDS = 8  # of a search, that are looked for
ORDERS = {
    "": ("number",), "-number": ("-number",), "length": ("length", "number"), "-length": ("-length", "number"),
}  # fmt: skip


def find_sentences(direction: Direction, asked: Mapping[str, Any]) -> QuerySet[Sentence]:
    """Those of a `split` that have each word of `q` in the source or in a reference, or whose number it is."""
    found = direction.sentences.all()
    if split := asked.get("split"):
        found = found.filter(split=split)
    for word in str(asked.get("q") or "").split()[:WORDS]:
        in_reference = Reference.objects.filter(sentence=OuterRef("pk"), text__icontains=word)
        found = found.filter(Q(text__icontains=word) | Q(Exists(in_reference)) | _number(word))
    return found.annotate(length=Length("text")).order_by(*ORDERS[asked.get("sort") or ""])


def _number(word: str) -> Q:
    return Q(number=int(word)) if word.isascii() and word.isdigit() and len(word) < 9 else Q(pk__in=[])

"""The unit of judgements and scores: each sentence of a study, or all of a document's together."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from corpora.models import Sentence, Study


class Unit(NamedTuple):
    """The keys of the sentences of one unit, as they follow each other; the first one stands for all of them."""

    ids: list[int]


def units_of(study: Study) -> list[Unit]:
    """The units of a study, by direction, then by the lowest number among their sentences.

    In a study of documents, the sentences of one direction that were selected from one document are a unit, in the
    order of the document; a sentence that comes from none is a unit of its own.
    """
    whole = study.unit == Study.Unit.DOCUMENT
    rows = Sentence.objects.filter(direction__study=study).order_by("direction__number", "number")
    if not whole:
        return [Unit([pk]) for pk in rows.values_list("pk", flat=True)]
    found: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for pk, direction, document, place in rows.values_list("pk", "direction", "origin__document", "origin__number"):
        of = (direction, document) if document else (direction, 0, pk)
        found.setdefault(of, []).append((place or 0, pk))
    # A stable sort: a sentence that was selected twice keeps its order.
    return [Unit([pk for _, pk in sorted(places, key=lambda one: one[0])]) for places in found.values()]


def text_of(ids: Sequence[int], texts: Mapping[int, str], *, partly: bool = False) -> str:
    """The texts of a unit's sentences as one, a lone one as it stands; "" where there is none.

    An output is one only if each sentence has its text, which may be empty: a model that writes whole documents puts
    them at the first sentence. A reference (`partly`) needs half of the sentences: people leave sentences out when they
    rewrite a document, but a reference with fewer was not finished.
    """
    if len(ids) == 1:
        return texts.get(ids[0], "")
    there = sum(pk in texts for pk in ids)
    if there < len(ids) and (not partly or 2 * there < len(ids)):
        return ""
    return " ".join(text.strip() for pk in ids if (text := texts.get(pk, "")).strip())

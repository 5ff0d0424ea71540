"""What stands around a study's units: their documents and questions, full forms, and the concepts of a few."""

from collections.abc import Sequence

import numpy as np

from corpora.knowledge.concepts import linker
from corpora.models import Sentence, Study
from evaluation.snapshot.units import ConceptMention, TextContext
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.errors import UserError
from foundation.seeds import generator

LINKED_SHOWN, LINKED_TRIED = 3, 30  # units with concepts: how many are shown, and of how many drawn ones
FIELDS = ("pk", "origin__document", "origin__number", "origin__document__title", "origin__document__code",
          "origin__document__question__text")  # fmt: skip


def text_context_of(study: Study, texts: StudyTexts) -> TextContext:
    """For the examples of a report."""
    places = {pk: place for place, pk in enumerate(texts.units.ids)}
    document, numbers = [-1] * len(places), [0] * len(places)
    known: dict[int, int] = {}
    about: list[tuple[str, str, str]] = []
    rows = Sentence.objects.filter(direction__study=study).exclude(origin=None).values_list(*FIELDS)
    for pk, of, number, title, code, question in rows.iterator(10_000):
        if of not in known:
            known[of] = len(about)
            about.append((title, code, question or ""))
        if pk in places:
            document[places[pk]], numbers[places[pk]] = known[of], number
    titles, codes, questions = zip(*about, strict=True) if about else ((), (), ())
    return TextContext(document, numbers, titles, codes, questions, texts.terms, _linked(texts))


def _linked(texts: StudyTexts) -> dict[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]]:
    """Some units drawn from those with concepts, whose first reference has concepts too."""
    units = texts.units
    candidates = [unit for unit in np.flatnonzero(units.concepts > 0).tolist() if units.references[unit]]
    order = (
        generator(1, "concepts", len(candidates)).permutation(len(candidates))[:LINKED_TRIED]
        if candidates
        else np.empty(0, dtype=int)
    )
    mentions: dict[int, tuple[Sequence[ConceptMention], Sequence[ConceptMention]]] = {}
    for unit in (candidates[number] for number in order.tolist()):
        source, reference = (_mentions(text) for text in (units.sources[unit], units.references[unit][0]))
        if source and reference:
            mentions[unit] = source, reference
        if len(mentions) == LINKED_SHOWN:
            break
    return dict(sorted(mentions.items()))


def _mentions(text: str) -> list[ConceptMention]:
    try:
        return [ConceptMention(mention.start, mention.end, mention.cui) for mention in linker().link(text)]
    except UserError:  # the set of concepts that the texts were linked by is gone
        return []

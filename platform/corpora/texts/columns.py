"""A study's texts as columns, for metrics, models and campaigns."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from corpora.knowledge.brackets import bracketed
from corpora.models import Direction, Output, Reference, ReferenceSet, Sentence, Study, System


@dataclass(frozen=True)
class Sources:
    """The sentences of a study in order (by direction, then number), with their references; all lists of length n."""

    ids: list[int]
    texts: list[str]
    references: list[Sequence[str]]


def sources_of(study: Study, direction: Direction | None = None) -> Sources:
    """All sources of a study, or of one of its directions."""
    sentences = Sentence.objects.filter(direction__study=study)
    if direction is not None:
        sentences = sentences.filter(direction=direction)
    rows = list(sentences.order_by("direction__number", "number").values_list("pk", "text"))
    references = _references(study)
    return Sources([pk for pk, _ in rows], [text for _, text in rows], [references.get(pk, ()) for pk, _ in rows])


def outputs_of(system: System) -> dict[int, str]:
    """The outputs of a system by the sentence's key."""
    return dict(Output.objects.filter(system=system).values_list("sentence_id", "text"))


def _references(study: Study) -> defaultdict[int, list[str]]:
    by_sentence: defaultdict[int, list[str]] = defaultdict(list)
    rows = Reference.objects.filter(set__direction__study=study).order_by("set__number")
    for sentence, text, marks in rows.values_list("sentence_id", "text", "set__marks"):
        by_sentence[sentence].append(plain(text, marks))
    return by_sentence


def plain(text: str, marks: str) -> str:
    """A reference of a set with these marks as people read and judge it: without brackets, as metrics have it."""
    return bracketed(text)[0] if marks == ReferenceSet.Marks.BRACKETS else text

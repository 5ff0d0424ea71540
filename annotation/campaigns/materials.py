"""What a campaign's study has to work on, in the shape that its kind of work asks for.

A document or a group with a sentence that is held for its likely identifiers is left out until somebody decided.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.models import Campaign
from annotation.task_types import TASK_TYPES, DocumentMaterial, GroupMaterial, Material, QuestionMaterial, Text
from corpora.models import Document, DocumentSentence, Group, Question, Reference, Sentence, Study, System
from corpora.texts.columns import Sources, outputs_of, plain, sources_of
from corpora.texts.units import text_of, units_of
from foundation.errors import UserError


def sentences(
    campaign: Campaign,
    systems: Sequence[System],
    only: Collection[int] | None = None,
    extras: Mapping[int, Sequence[str]] | None = None,
) -> Iterator[Material]:
    """Each source of the campaign's direction and splits, with references, and outputs in the order of `systems`.

    Where a study's unit is the document, work that judges gets whole documents, each under the key of its first
    sentence and of the split of that. `only` these keys make items; `extras` are further texts by key. A UserError
    where one of them is not among the texts.
    """
    sources = sources_of(campaign.study, campaign.direction)
    texts = dict(zip(sources.ids, sources.texts, strict=True))
    outputs = [outputs_of(system) for system in systems]
    there = Sentence.objects.filter(direction__study=campaign.study)
    wanted = there.filter(split__in=campaign.splits) if campaign.splits else there
    more = {pk: (split, concepts) for pk, split, concepts in wanted.values_list("pk", "split", "concepts")}
    units, references = _units(campaign, sources)
    found = [ids for ids in units if ids[0] in texts and ids[0] in more]
    extras, asked = extras or {}, None if only is None else set(only)
    _refuse_unknown({*(asked or ()), *extras} - {ids[0] for ids in found})
    for ids in found:
        first = ids[0]
        if asked is None or first in asked:
            split, concepts = more[first]
            written = [text_of(ids, output) for output in outputs]
            linked = concepts or () if len(ids) == 1 else ()  # their places count within one sentence
            yield Material(first, text_of(ids, texts), references[first], written, linked, split, extras.get(first, ()))


def documents(campaign: Campaign, systems: Sequence[System]) -> Iterator[DocumentMaterial]:
    """The documents that no screening refused, each with its question."""
    found = _within(campaign, Document.objects.filter(study=campaign.study).exclude(chosen=False), "")
    chosen = list(found.select_related("question").order_by("number"))
    yield from _documents(chosen)


def groups(campaign: Campaign, systems: Sequence[System]) -> Iterator[GroupMaterial]:
    """The linked groups: those that were sampled, or all where none was."""
    found = Group.objects.filter(study=campaign.study)
    found = found.filter(sampled=True) if found.filter(sampled=True).exists() else found
    found = _within(campaign, found, "link__source__").select_related("link__source", "link__target")
    chosen = list(found.order_by("number"))
    texts = _texts({pk for one in chosen for pk in (one.link.source_id, one.link.target_id)})
    for one in chosen:
        link = one.link
        source, target = texts.get(link.source_id), texts.get(link.target_id)
        if source is None or target is None:
            continue
        left, right = _of(source, one.source_sections), _of(target, one.target_sections)
        if left and right:
            styles = link.source.style, link.target.style
            yield GroupMaterial(one.pk, link.source.title, one.element, left, right, *styles, link.source.topic)


def questions(campaign: Campaign, systems: Sequence[System]) -> Iterator[QuestionMaterial]:
    """All questions, each with the documents found for it."""
    found = defaultdict(list)
    for document in Document.objects.filter(study=campaign.study, question__isnull=False).order_by("number"):
        found[document.question_id].append(document)
    for question in Question.objects.filter(study=campaign.study).order_by("number"):
        yield QuestionMaterial(
            question.pk, question.code, question.text, question.topic, list(_documents(found[question.pk], question))
        )


MATERIALS: Mapping[str, Callable[..., Iterator[Any]]] = {
    "sentences": sentences,
    "groups": groups,
    "documents": documents,
    "questions": questions,
}


def _units(campaign: Campaign, sources: Sources) -> tuple[Sequence[Sequence[int]], Mapping[int, Sequence[str]]]:
    """The keys of the sentences of each item, and the references by the first of them."""
    if campaign.study.unit == Study.Unit.SENTENCE or not TASK_TYPES[campaign.task_type].judges():
        return [(pk,) for pk in sources.ids], dict(zip(sources.ids, sources.references, strict=True))
    units = [one.ids for one in units_of(campaign.study)]
    sets: dict[int, dict[int, str]] = defaultdict(dict)
    rows = Reference.objects.filter(set__direction__study=campaign.study).order_by("set__number")
    for number, sentence, text, marks in rows.values_list("set__number", "sentence_id", "text", "set__marks"):
        sets[number][sentence] = plain(text, marks)
    joined = {ids[0]: [text_of(ids, one, partly=True) for one in sets.values()] for ids in units}
    return units, {first: [text for text in written if text] for first, written in joined.items()}


def _refuse_unknown(keys: Collection[int]) -> None:
    if keys:
        raise UserError(f"Sentence {min(keys)} is not among the texts of this campaign.", where="sentences")


def _within(campaign: Campaign, found: Any, path: str) -> Any:
    """Only documents (at `path`) of the campaign's splits and of the style that its direction begins with."""
    if campaign.splits:
        found = found.filter(**{f"{path}split__in": campaign.splits})
    if campaign.direction:
        found = found.filter(**{f"{path}style": campaign.direction.source_style})
    return found


def _documents(chosen: Sequence[Document], question: Question | None = None) -> Iterator[DocumentMaterial]:
    texts = _texts({one.pk for one in chosen})
    for one in chosen:
        rows = [text for _section, text in texts.get(one.pk) or ()]
        asked = question or (one.question if one.question_id else None)
        if rows:
            topic = one.topic or (asked.topic if asked else "")
            yield DocumentMaterial(one.pk, one.title, one.code, topic, rows, _asked(asked), one.chosen)


def _asked(question: Question | None) -> dict[str, str] | None:
    return question and {key: getattr(question, key) for key in ("code", "text", "type", "focus", "kind")}


def _texts(documents: Iterable[int]) -> dict[int, list[tuple[str, Text]]]:
    """(section, sentence) in order by document; documents with held sentences are left out, dropped sentences too."""
    rows = DocumentSentence.objects.filter(document__in=list(documents)).order_by("document_id", "number")
    columns = ("document_id", "held", "dropped", "pk", "number", "text", "section", "translation", "concepts")
    found: dict[int, list[tuple[str, Text]]] = defaultdict(list)
    blocked = set()
    for document, held, dropped, *fields, concepts in rows.values_list(*columns).iterator():
        if dropped:
            continue
        if held:
            blocked.add(document)
        text = Text(*fields, concepts or ())
        found[document].append((text.section, text))
    return {pk: texts for pk, texts in found.items() if pk not in blocked}


def _of(texts: Sequence[tuple[str, Text]], sections: Sequence[str]) -> list[Text]:
    """The sentences of some sections, in the order of the document."""
    return [text for section, text in texts if section in sections]

"""The material of a campaign's study, in the shape that its kind of work asks for.

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

    Where a study's unit is the document, work that judges gets whole documents, each under the key and in the split of
    its first sentence. `only` these keys make items; `extras` are further texts by key. A UserError where one of them
    is not among the texts.
    """
    sources = sources_of(campaign.study, campaign.direction)
    texts = dict(zip(sources.ids, sources.texts, strict=True))
    outputs = [outputs_of(system) for system in systems]
    candidates = Sentence.objects.filter(direction__study=campaign.study)
    wanted = candidates.filter(split__in=campaign.splits) if campaign.splits else candidates
    more = {pk: (split, concepts) for pk, split, concepts in wanted.values_list("pk", "split", "concepts")}
    units, references = _units(campaign, sources)
    usable_units = [ids for ids in units if ids[0] in texts and ids[0] in more]
    extras, asked = extras or {}, None if only is None else set(only)
    _refuse_unknown({*(asked or ()), *extras} - {ids[0] for ids in usable_units})
    for ids in usable_units:
        first = ids[0]
        if asked is None or first in asked:
            split, concepts = more[first]
            written = [text_of(ids, output) for output in outputs]
            linked = concepts or () if len(ids) == 1 else ()  # their places count within one sentence
            empty = [
                place
                for place, (text, output) in enumerate(zip(written, outputs, strict=True))
                if not text.strip() and output.keys() >= set(ids)
            ]
            source, further = text_of(ids, texts), extras.get(first, ())
            yield Material(first, source, references[first], written, linked, split, further, empty)


def documents(campaign: Campaign, systems: Sequence[System]) -> Iterator[DocumentMaterial]:
    """The documents that no screening refused, each with its question."""
    selected = _within(campaign, Document.objects.filter(study=campaign.study).exclude(chosen=False), "")
    ordered = list(selected.select_related("question").order_by("number"))
    yield from _documents(ordered)


def groups(campaign: Campaign, systems: Sequence[System]) -> Iterator[GroupMaterial]:
    """The linked groups: those that were sampled, or all where none was."""
    selected = Group.objects.filter(study=campaign.study)
    selected = selected.filter(sampled=True) if selected.filter(sampled=True).exists() else selected
    selected = _within(campaign, selected, "link__source__").select_related("link__source", "link__target")
    ordered = list(selected.order_by("number"))
    texts = _texts({pk for group in ordered for pk in (group.link.source_id, group.link.target_id)})
    for group in ordered:
        link = group.link
        source, target = texts.get(link.source_id), texts.get(link.target_id)
        if source is None or target is None:
            continue
        left, right = _of(source, group.source_sections), _of(target, group.target_sections)
        if left and right:
            styles = link.source.style, link.target.style
            yield GroupMaterial(group.pk, link.source.title, group.element, left, right, *styles, link.source.topic)


def questions(campaign: Campaign, systems: Sequence[System]) -> Iterator[QuestionMaterial]:
    """All questions, each with the documents found for it."""
    documents_of = defaultdict(list)
    for document in Document.objects.filter(study=campaign.study, question__isnull=False).order_by("number"):
        documents_of[document.question_id].append(document)
    for question in Question.objects.filter(study=campaign.study).order_by("number"):
        yield QuestionMaterial(
            question.pk,
            question.code,
            question.text,
            question.topic,
            list(_documents(documents_of[question.pk], question)),
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
    units = [unit.ids for unit in units_of(campaign.study)]
    sets: dict[int, dict[int, str]] = defaultdict(dict)
    rows = Reference.objects.filter(set__direction__study=campaign.study).order_by("set__number")
    for number, sentence, text, marks in rows.values_list("set__number", "sentence_id", "text", "set__marks"):
        sets[number][sentence] = plain(text, marks)
    joined = {ids[0]: [text_of(ids, texts_of_set, partly=True) for texts_of_set in sets.values()] for ids in units}
    return units, {first: [text for text in written if text] for first, written in joined.items()}


def _refuse_unknown(keys: Collection[int]) -> None:
    if keys:
        raise UserError("Sentence {keys} is not among the texts of this campaign.", keys=min(keys), where="sentences")


def _within(campaign: Campaign, queryset: Any, path: str) -> Any:
    """Only documents (at `path`) of the campaign's splits and of the style that its direction begins with."""
    if campaign.splits:
        queryset = queryset.filter(**{f"{path}split__in": campaign.splits})
    if campaign.direction:
        queryset = queryset.filter(**{f"{path}style": campaign.direction.source_style})
    return queryset


def _documents(listed: Sequence[Document], question: Question | None = None) -> Iterator[DocumentMaterial]:
    texts = _texts({document.pk for document in listed})
    for document in listed:
        rows = [text for _section, text in texts.get(document.pk) or ()]
        asked = question or (document.question if document.question_id else None)
        if rows:
            topic = document.topic or (asked.topic if asked else "")
            yield DocumentMaterial(
                document.pk, document.title, document.code, topic, rows, _asked(asked), document.chosen
            )


def _asked(question: Question | None) -> dict[str, str] | None:
    if question is None:
        return None
    return {key: getattr(question, key) for key in ("code", "text", "type", "focus", "kind")}


def _texts(documents: Iterable[int]) -> dict[int, list[tuple[str, Text]]]:
    """(section, sentence) in order by document; documents with held sentences are left out, dropped sentences too."""
    rows = DocumentSentence.objects.filter(document__in=list(documents)).order_by("document_id", "number")
    columns = ("document_id", "held", "dropped", "pk", "number", "text", "section", "translation", "concepts")
    by_document: dict[int, list[tuple[str, Text]]] = defaultdict(list)
    blocked = set()
    for document, quarantined, dropped, pk, number, written, section, translation, concepts in rows.values_list(
        *columns
    ).iterator():
        if dropped:
            continue
        if quarantined:
            blocked.add(document)
        text = Text(pk, number, written, section, translation, concepts or ())
        by_document[document].append((text.section, text))
    return {pk: texts for pk, texts in by_document.items() if pk not in blocked}


def _of(texts: Sequence[tuple[str, Text]], sections: Sequence[str]) -> list[Text]:
    """The sentences of some sections, in the order of the document."""
    return [text for section, text in texts if section in sections]

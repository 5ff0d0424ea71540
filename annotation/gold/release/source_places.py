"""Where the sources of gold stand in a study: their names, order, styles, split and domain."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from django.db import connection

from annotation.effective_annotations.products import ProductRow
from corpora.models import Document, Group, Question, Study

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
    """The place of each row, in their order, by one query for each kind of source."""
    styles = (study.styles[0], study.styles[1])
    about = [next((make, key) for make, key in zip(MAKERS, _keys(row), strict=True) if key) for row in rows]
    wanted: dict[Maker, set[int]] = {}
    for make, key in about:
        wanted.setdefault(make, set()).add(key)
    known = {make: make(keys, styles) for make, keys in wanted.items()}
    return [known[make][key] for make, key in about]


def _keys(row: ProductRow) -> tuple[int | None, ...]:
    return row.sentence_id, row.group_id, row.document_id, row.question_id


def _sentences(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    """By hand, since there are many: Django writes a list of keys out one by one."""
    with connection.cursor() as cursor:
        cursor.execute(SENTENCES, [list(keys)])
        return {
            pk: SourcePlace(f"{source}-{target}-{number}", (direction, number), (source, target), split, domain)
            for pk, number, split, domain, direction, source, target in cursor.fetchall()
        }


def _groups(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    """A group without a split is test: it is what people worked on (MSD)."""
    asked = Group.objects.filter(pk__in=keys).values_list(
        "pk", "number", "link__source__style", "link__target__style", "link__source__split", "link__source__domain"
    )
    return {
        pk: SourcePlace(f"group-{number}", (0, number), (source, target), split or "test", domain)
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
        split=document.split or "test",
        domain=document.domain or document.topic,
        question={"code": question.code, "text": question.text, "type": question.type} if question else None,
        code=document.code or str(document.number),
    )


def _questions(keys: set[int], styles: tuple[str, str]) -> dict[int, SourcePlace]:
    asked = Question.objects.filter(pk__in=keys).values_list("pk", "number", "code", "topic")
    return {
        pk: SourcePlace(f"question-{code}", (number, 0), styles, "test", topic) for pk, number, code, topic in asked
    }


Maker = Callable[[set[int], tuple[str, str]], dict[int, SourcePlace]]
MAKERS: tuple[Maker, ...] = (_sentences, _groups, _documents, _questions)
"""In the order of `_keys`."""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, ProtectedError

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.models import DocumentSentence, Group, Study

Sections = dict[str, list[str]]
"""By element, the titles of its sections in the order of the document."""


@dataclass(frozen=True)
class Grouped:
    """How many groups were made, how many stood and stay, and how many links have no group at all."""

    made: int
    stayed: int
    links_without: int


@audited
@transaction.atomic
def make_groups(*, study: Study, by: Any = None) -> Grouped:
    """Make a group of each element that both documents of a link have a section of.

    Two documents without any section titles are one group. Groups that are sampled or at work stay as they are; the
    others are made anew, so that a changed mapping counts.
    """
    lock_study(study)
    _clear(study)
    there = set(study.groups.values_list("link_id", "element"))
    found = list(_groups(study))
    new = [row for row in found if (row[0], row[1]) not in there]
    number = study.groups.aggregate(last=Max("number"))["last"] or 0
    rows = ((study.pk, link, number + place, *rest, False) for place, (link, *rest) in enumerate(new, 1))
    copy_rows(
        Group, ["study", "link", "number", "element", "source_sections", "target_sections", "sampled"], rows
    )  # fmt: skip
    without = study.document_links.filter(groups=None).count()
    return Grouped(len(new), len(there), without)


def _clear(study: Study) -> None:
    """Remove the groups that are neither drawn nor at work."""
    loose = study.groups.filter(sampled=False)
    try:
        with transaction.atomic():
            loose.delete()
    except ProtectedError as error:
        protected: set[Any] = error.protected_objects
        used = {item.group_id for item in protected}
        loose.exclude(pk__in=used).delete()


def _groups(study: Study) -> Iterator[tuple[int, str, list[str], list[str]]]:
    sections = _sections_of(study)
    links = study.document_links.order_by("source__number", "target__number")
    for link, source, target in links.values_list("pk", "source_id", "target_id"):
        left, right = sections[source], sections[target]
        for element in left:
            if element in right:
                yield link, element, left[element], right[element]


def _sections_of(study: Study) -> dict[int, Sections]:
    """For each linked document, its sections by element; "" is the whole of a document that has no titles."""
    elements = {(style, section): element for style, section, element
                in study.section_elements.values_list("style", "section", "element")}  # fmt: skip
    rows = (
        DocumentSentence.objects.filter(document__study=study, dropped=False)
        .values_list("document_id", "document__style", "section")
        .annotate(first=Min("number"))
        .order_by("document_id", "first")
    )
    titles: dict[int, list[tuple[str, str]]] = defaultdict(list)
    for document, style, section, _ in rows.iterator():
        titles[document].append((style, section))
    found: dict[int, Sections] = defaultdict(dict)
    for document, listed in titles.items():
        for style, section in listed:
            element = "" if [one for _, one in listed] == [""] else elements.get((style, section))
            if element is not None:
                found[document].setdefault(element, []).append(section)
    return found

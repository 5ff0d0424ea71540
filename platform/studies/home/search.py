"""Studies of a person, and campaigns, systems and documents in them, by name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.permissions import Can
from annotation.models import Campaign
from corpora.models import Document, Study, System

MOST = 20
"""Hits of a kind that are shown."""


@dataclass(frozen=True)
class Hit:
    name: str
    kind: str
    study: Study
    url: str


def search(person: Any, studies: Sequence[Study], query: str) -> list[Hit]:
    """Hits whose name contains `query`, studies first; within studies only for those who may view them.

    Texts that are under terms are not looked into: documents are found by title and code, in studies without bars.
    """
    words = query.casefold()
    hits = [
        Hit(study.title, _("Study"), study, reverse("study", args=[study.slug]))
        for study in studies
        if words in study.title.casefold() or words in study.slug
    ][:MOST]
    seen = {study.pk: study for study in studies if study.can(person, Can.VIEW_STUDY)}
    for campaign in Campaign.objects.filter(study__in=seen, name__icontains=query).order_by("pk")[:MOST]:
        study = seen[campaign.study_id]
        hits.append(Hit(campaign.name, _("Campaign"), study, reverse("campaign", args=[study.slug, campaign.slug])))
    for system in System.objects.filter(study__in=seen, name__icontains=query).order_by("pk")[:MOST]:
        study = seen[system.study_id]
        hits.append(Hit(system.name, _("System"), study, reverse("system", args=[study.slug, system.pk])))
    return hits + _documents(person, seen, query)


def _documents(person: Any, seen: dict[int, Study], query: str) -> list[Hit]:
    named = Document.objects.filter(Q(title__icontains=query) | Q(code__icontains=query), study__in=seen)
    found = list(named.order_by("pk")[:MOST])
    barred = {key for key in {document.study_id for document in found} if seen[key].bars(person)}
    return [
        Hit(str(document), _("Document"), seen[document.study_id], _address(seen[document.study_id], document))
        for document in found
        if document.study_id not in barred
    ]


def _address(study: Study, document: Document) -> str:
    return reverse("document", args=[study.slug, document.pk])

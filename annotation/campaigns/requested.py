"""Rows that an address names: found, or 404; and a campaign that a body or a command names."""

from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404

from accounts.models import Person
from annotation.gold.release.downloads import release_of
from annotation.models import Campaign, Release
from corpora.models import Study
from foundation.errors import UserError


def campaign_of(request: Any, slug: str) -> Campaign:
    campaigns = request.study.campaigns.select_related("study", "direction", "after")
    found: Campaign = get_object_or_404(campaigns, slug=slug)
    return found


def campaign_named(study: Study, slug: str, where: str = "") -> Campaign:
    """The study's campaign of this short name; a UserError where there is none."""
    found = study.campaigns.filter(slug=slug).first()
    if found is None:
        raise UserError("The study has no campaign '{slug}'.", slug=slug, where=where)
    return found


def release_or_404(request: Any, number: int) -> Release:
    shown_release = release_of(request.study, number)
    if shown_release is None:
        raise Http404
    return shown_release


def worker_of(campaign: Campaign, pk: int) -> Person:
    """Somebody who has a membership in the campaign; 404 for everybody else."""
    return get_object_or_404(Person, pk=pk, campaign_memberships__campaign=campaign)


def number_in(text: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 10:
        return int(text)
    raise Http404("There is no such item.")

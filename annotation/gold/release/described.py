"""A stored release as the files for programs speak of it (`metadata`)."""

from collections.abc import Sequence

from django.conf import settings
from django.urls import get_script_prefix

from annotation.gold.release.datasheet import parts_again
from annotation.gold.release.metadata import Described, OneFile
from annotation.models import Campaign, Release


def address_of(release: Release) -> str:
    """The release's page: the route `release`, whose name would load all pages of the site to be looked up (1 s)."""
    return f"{settings.SITE_URL}{get_script_prefix()}studies/{release.study.slug}/gold/releases/{release.number}/"


def described(release: Release, files: Sequence[OneFile]) -> Described:
    """The release with these files of it."""
    study = release.study
    campaigns = Campaign.objects.filter(study=study, slug__in=release.counts.get("campaigns", {}))
    return Described(
        slug=study.slug, title=" ".join(study.title.split()), description=study.description, number=release.number,
        day=release.made_at.date(), license=release.license, language=study.language, styles=study.styles,
        url=address_of(release),
        counts=release.counts, per_item=list(campaigns.values_list("overlap", flat=True)), files=files,
        sheet=parts_again(release.datasheet),
    )  # fmt: skip

"""A stored release as the files for programs speak of it (`metadata`)."""

from collections.abc import Sequence

from django.conf import settings
from django.urls import reverse

from annotation.gold.release.datasheet import parts_again
from annotation.gold.release.metadata import Described, OneFile
from annotation.models import Campaign, Release


def described(release: Release, files: Sequence[OneFile]) -> Described:
    """The release with these files of it."""
    study = release.study
    campaigns = Campaign.objects.filter(study=study, slug__in=release.counts.get("campaigns", {}))
    return Described(
        slug=study.slug, title=" ".join(study.title.split()), description=study.description, number=release.number,
        day=release.made_at.date(), license=release.license, language=study.language, styles=study.styles,
        url=settings.SITE_URL + reverse("release", kwargs={"study": study.slug, "number": release.number}),
        counts=release.counts, per_item=list(campaigns.values_list("overlap", flat=True)), files=files,
        sheet=parts_again(release.datasheet),
    )  # fmt: skip

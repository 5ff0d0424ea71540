from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from accounts.authentication import digest_of, new_secret
from annotation.models import Release
from corpora.models import Study
from evaluation.models import PublicLink, Report
from evaluation.public_links import why_no_texts
from foundation.errors import UserError
from foundation.options import option, validate_options


@dataclass(frozen=True)
class PublicLinkFields:
    """The arguments of `make_public_link` besides the release that is shown."""

    page: str = option("", "", label="Page", choices=PublicLink.Page.choices, required=True)
    days: int = option(
        1,
        "Left empty, the link works until you revoke it.",
        label="Days until it expires",
        low=1,
        high=3650,
        none="usual",
    )
    with_texts: bool = option(
        False, "Only if the study has a licence and requires no agreement.",
        label="Show a release's datasheet and guidelines",
    )  # fmt: skip


@audited
@transaction.atomic
def make_public_link(*, study: Study, by: Any, release: Release | None = None, **fields: Any) -> tuple[PublicLink, str]:
    """A link and its secret, which is kept nowhere; without `days` it is open until somebody revokes it."""
    given = validate_options(PublicLinkFields, fields)
    _check_page(study, given.page, release)
    if given.with_texts and given.page != PublicLink.Page.RELEASE:
        raise UserError("Only the page of a release can show texts.", where="with_texts")
    if given.with_texts and (why := why_no_texts(study)):
        raise UserError(why, where="with_texts")
    secret = new_secret()
    expires = timezone.now() + timedelta(days=given.days) if fields.get("days") else None
    link = PublicLink.objects.create(
        study=study, page=given.page, release=release, with_texts=given.with_texts, prefix=secret[:8],
        digest=digest_of(secret), made_by=by, expires_at=expires,
    )  # fmt: skip
    return link, secret


def _check_page(study: Study, page: str, release: Release | None) -> None:
    if page != PublicLink.Page.RELEASE:
        if release is not None:
            raise UserError("Name a release only for the page of a release.", where="release")
        if not Report.objects.filter(study=study).exists():
            raise UserError("There is no report yet, so the page would be empty.", where="page")
    elif release is None or release.study_id != study.pk:
        raise UserError("Name the release that the page shows.", where="release")

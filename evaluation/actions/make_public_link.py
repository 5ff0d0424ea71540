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

LONGEST_DAYS = 3650


@audited
@transaction.atomic
def make_public_link(
    *, study: Study, page: str, by: Any, release: Release | None = None, days: int | None = None,
    with_texts: bool = False,
) -> tuple[PublicLink, str]:  # fmt: skip
    """A link and its secret, which is kept nowhere; without `days` it is open until somebody revokes it."""
    if page not in PublicLink.Page.values:
        raise UserError("Expected one of {values}.", values=", ".join(PublicLink.Page.values), where="page")
    if days is not None and not 1 <= days <= LONGEST_DAYS:
        raise UserError("A link is open for 1 to {longest_days} days.", longest_days=LONGEST_DAYS, where="days")
    _check_page(study, page, release)
    if with_texts and page != PublicLink.Page.RELEASE:
        raise UserError("Only a release has texts to show.", where="with_texts")
    if with_texts and (why := why_no_texts(study)):
        raise UserError(why, where="with_texts")
    secret = new_secret()
    expires = None if days is None else timezone.now() + timedelta(days=days)
    link = PublicLink.objects.create(
        study=study, page=page, release=release, with_texts=with_texts, prefix=secret[:8], digest=digest_of(secret),
        made_by=by, expires_at=expires,
    )  # fmt: skip
    return link, secret


def _check_page(study: Study, page: str, release: Release | None) -> None:
    if page != PublicLink.Page.RELEASE:
        if release is not None:
            raise UserError("A release is named for the page of a release alone.", where="release")
        if not Report.objects.filter(study=study).exists():
            raise UserError("There is no report yet: its page would be empty.", where="page")
    elif release is None or release.study_id != study.pk:
        raise UserError("Name the release that the page shows.", where="release")

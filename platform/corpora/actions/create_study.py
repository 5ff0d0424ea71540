import re
from collections.abc import Sequence
from typing import Any

from django.db import IntegrityError, transaction

from accounts.audit import audited
from accounts.permissions import Role
from corpora.models import Membership, Study
from corpora.studies import check_styles, check_title, refuse_confusing
from foundation.errors import UserError
from foundation.languages import check_language
from foundation.polarity import ends_of_styles

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")
TAKEN = {"new", "apply"}  # words of the site's own addresses


@audited
@transaction.atomic
def create_study(
    *,
    slug: str,
    title: str,
    styles: Sequence[str],
    language: str = "",
    license: str = "",
    description: str = "",
    by: Any = None,
) -> Study:
    """Make a study of two styles or more; the person who makes it is its first researcher.

    The meaning of the ends of scales is taken from the names of the styles where they say it (`ends_of_styles`).
    """
    _check(slug, title, styles)
    try:
        with transaction.atomic():
            study = Study.objects.create(
                slug=slug,
                title=title.strip(),
                styles=list(styles),
                language=check_language(language),
                license=license,
                poles=ends_of_styles(styles),
                description=description,
                made_by=by,
            )
    except IntegrityError:  # somebody else made it in this moment
        raise _taken(slug) from None
    if by is not None:
        Membership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    return study


def _check(slug: str, title: str, styles: Sequence[str]) -> None:
    if not SLUG.match(slug) or len(slug) > 80:
        raise UserError("A short name is lower-case letters, digits and single hyphens, at most 80.", where="slug")
    check_title(title)
    check_styles(styles)
    if slug in TAKEN or Study.objects.filter(slug=slug).exists():
        raise _taken(slug)
    refuse_confusing(title)


def _taken(slug: str) -> UserError:
    return UserError("There is a study '{slug}' already; choose another short name.", slug=slug, where="slug")

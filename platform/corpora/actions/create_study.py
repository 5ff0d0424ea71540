import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.permissions import Role
from corpora.models import Membership, Study
from foundation.errors import UserError

SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*\Z")


@transaction.atomic
def create_study(
    *, slug: str, title: str, styles: Sequence[str], license: str = "", description: str = "", by: Any = None
) -> Study:
    """Make a study of two styles or more; who makes it is its first researcher."""
    _check(slug, title, styles)
    study = Study.objects.create(
        slug=slug, title=title.strip(), styles=list(styles), license=license, description=description, made_by=by
    )
    if by is not None:
        Membership.objects.create(study=study, person=by, role=Role.RESEARCHER)
    return study


def _check(slug: str, title: str, styles: Sequence[str]) -> None:
    if not SLUG.match(slug) or len(slug) > 80:
        raise UserError("A short name is lower-case letters, digits and single hyphens, at most 80.", where="slug")
    if not title.strip():
        raise UserError("A study needs a title.", where="title")
    if len(set(styles)) < 2 or not all(style == style.strip() and style for style in styles):
        raise UserError("A study needs two different styles or more, each with a name.", where="styles")
    if any("-" in style or "/" in style or len(style) > 60 for style in styles):
        raise UserError("The name of a style has at most 60 characters, no hyphen and no slash.", where="styles")
    if Study.objects.filter(slug=slug).exists():
        raise UserError(f"There is a study '{slug}' already.", where="slug")

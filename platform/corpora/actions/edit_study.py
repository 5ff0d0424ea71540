from collections.abc import Sequence

from django.db import transaction

from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.naming import check_styles, check_title
from foundation.errors import UserError


@transaction.atomic
def edit_study(
    *,
    study: Study,
    title: str | None = None,
    license: str | None = None,
    description: str | None = None,
    styles: Sequence[str] | None = None,
) -> Study:
    """Change what is given. Styles may be added; those that stand stay, since directions and answers speak of them."""
    lock_study(study)
    if title is not None:
        check_title(title)
        study.title = title.strip()
    if styles is not None:
        study.styles = _grown(study.styles, styles)
    study.license = study.license if license is None else license
    study.description = study.description if description is None else description
    study.save(update_fields=["title", "license", "description", "styles"])
    return study


def _grown(old: Sequence[str], new: Sequence[str]) -> list[str]:
    gone = [style for style in old if style not in new]
    if gone:
        raise UserError(f"A style cannot be taken away: {', '.join(gone)}.", where="styles")
    check_styles(new)
    return list(new)

"""Close a recruitment link, or open it again."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import RecruitmentLink


@audited
@transaction.atomic
def set_recruitment_link_state(*, recruitment_link: RecruitmentLink, is_open: bool, by: Any) -> RecruitmentLink:
    """Close or open it: nobody new comes through a closed link; those who are in go on, and read their code again."""
    recruitment_link.is_open = is_open
    recruitment_link.save(update_fields=["is_open"])
    return recruitment_link

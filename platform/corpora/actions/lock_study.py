from typing import Any

from corpora.models import Study
from foundation.errors import UserError

ARCHIVED = "This study is archived: you can read it, but nothing in it changes until somebody unarchives it."
ALL_THE_SAME = frozenset({"set_archived", "delete_study", "duplicate_study", "accept_terms", "revoke_public_link"})


def lock_study(study: Study, *, archived: bool = False) -> None:
    """Let nobody else number rows of this study until the transaction ends; a UserError where it is archived.

    With `archived` an archived one is locked too: it may be taken up again, and deleted.
    """
    locked = Study.objects.select_for_update().only("archived_at").get(pk=study.pk)
    if locked.archived_at is not None and not archived:
        raise UserError(ARCHIVED)


def refuse_archived(action: str, study: Any) -> None:
    """Raise UserError where a recorded action would change an archived study."""
    if study is not None and study.archived_at is not None and action not in ALL_THE_SAME:
        raise UserError(ARCHIVED)

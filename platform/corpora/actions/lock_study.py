from corpora.models import Study
from foundation.errors import UserError

ARCHIVED = "This study is archived: it can be read, and nothing in it changes until it is taken up again."


def lock_study(study: Study, *, archived: bool = False) -> None:
    """Let nobody else number rows of this study until the transaction ends; a UserError where it is archived.

    With `archived` an archived one is locked too: it may be taken up again, and deleted.
    """
    locked = Study.objects.select_for_update().only("archived_at").get(pk=study.pk)
    if locked.archived_at is not None and not archived:
        raise UserError(ARCHIVED)

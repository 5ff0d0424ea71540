from typing import Any

from django.db import transaction

from corpora.models import Upload
from foundation.errors import UserError


@transaction.atomic
def drop_table(*, upload: Upload, by: Any = None) -> None:
    """Let go of a table that was not imported."""
    if upload.job_id is not None:
        raise UserError("A job is importing this table; cancel the job first.")
    upload.delete()

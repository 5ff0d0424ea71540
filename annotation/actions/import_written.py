from collections.abc import Sequence
from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.import_gold import ORIGIN, check_asked, keep_rows, new_rows
from annotation.gold.adoption import LocatedRow, group_rows, write_texts
from corpora.actions.lock_study import lock_study
from corpora.models import Study


@audited
@transaction.atomic
def import_written(*, study: Study, file_name: str, rows: Sequence[LocatedRow], by: Any = None) -> int:
    """Store texts that people wrote elsewhere as gold, each at the source that the study has; how many are new."""
    lock_study(study)
    check_asked(study, {})
    new = new_rows(study, [one.row for one in rows])
    fresh = {id(row) for row in new}
    keep_rows(study, file_name, new)
    write_texts(study, group_rows(one for one in rows if id(one.row) in fresh), ORIGIN)
    return len(new)

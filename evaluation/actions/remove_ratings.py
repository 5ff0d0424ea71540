from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Removal
from corpora.trash import move_to_trash
from evaluation.models import RatingsImport


@audited
@transaction.atomic
def remove_ratings(*, ratings: RatingsImport, by: Any = None) -> Removal:
    """Remove an import with all of its judgements. The criteria stay."""
    lock_study(ratings.study)
    rows = {RatingsImport: [ratings.pk]}
    return move_to_trash(study=ratings.study, kind=Removal.Kind.RATINGS, name=ratings.file_name, rows=rows, by=by)

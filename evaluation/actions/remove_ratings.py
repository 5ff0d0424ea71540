from django.db import transaction

from accounts.trail import recorded
from corpora.actions.lock_study import lock_study
from evaluation.models import Judgement, RatingsImport


@recorded
@transaction.atomic
def remove_ratings(*, ratings: RatingsImport) -> None:
    """Take an import of judgements away again, with all of them. The criteria stay."""
    lock_study(ratings.study)
    Judgement.objects.filter(ratings_import=ratings)._raw_delete("default")
    ratings.delete()

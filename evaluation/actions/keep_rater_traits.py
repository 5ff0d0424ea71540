from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.models import RaterTraits


@audited
@transaction.atomic
def keep_rater_traits(*, study: Study, data: Mapping[str, Mapping[str, str]], by: Any = None) -> int:
    """Store traits of raters, by name; a trait that is stored already gets its new value. Returns how many."""
    lock_study(study)
    there = {one.worker: one for one in study.rater_traits.filter(worker__in=list(data))}
    rows = [
        RaterTraits(study=study, worker=worker, traits={**(there[worker].traits if worker in there else {}), **traits})
        for worker, traits in data.items()
    ]
    RaterTraits.objects.bulk_create(
        rows, batch_size=1000, update_conflicts=True, unique_fields=["study", "worker"], update_fields=["traits"]
    )
    return len(rows)

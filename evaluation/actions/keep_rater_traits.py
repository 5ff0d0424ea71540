from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from evaluation.models import RaterTraits


@audited
@transaction.atomic
def keep_rater_traits(
    *, study: Study, data: Mapping[str, Mapping[str, str]], left_out: Mapping[str, str] | None = None, by: Any = None
) -> int:
    """Store traits of raters, by name; a trait that is stored already gets its new value. Returns how many raters.

    `left_out` says of raters why filtered judgements are without them, "" of those who count; of others it stays.
    """
    lock_study(study)
    said = left_out or {}
    workers = list(dict.fromkeys([*data, *said]))
    there = {one.worker: one for one in study.rater_traits.filter(worker__in=workers)}
    rows = []
    for worker in workers:
        known = there.get(worker) or RaterTraits()
        traits, why = {**known.traits, **data.get(worker, {})}, said.get(worker, known.left_out)
        if worker in there or traits or why:
            rows.append(RaterTraits(study=study, worker=worker, traits=traits, left_out=why))
    RaterTraits.objects.bulk_create(
        rows, batch_size=1000, update_conflicts=True, unique_fields=["study", "worker"],
        update_fields=["traits", "left_out"],
    )  # fmt: skip
    return len(rows)

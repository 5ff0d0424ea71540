from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError
from foundation.seeds import generator


@audited
@transaction.atomic
def sample_groups(*, study: Study, count: int, seed: int = 1, replace: bool = False, by: Any = None) -> int:
    """Draw `count` groups for annotation by `seed`, besides those drawn before or, with `replace`, in their place."""
    lock_study(study)
    if replace:
        study.groups.update(sampled=False)
    free = list(study.groups.filter(sampled=False).order_by("number").values_list("pk", flat=True))
    if not 1 <= count <= len(free):
        raise UserError(
            "There are {free_count:,} groups to sample from; choose 1 to {free_count:,}.",
            free_count=len(free),
            where="count",
        )
    drawn = generator(seed, "groups").permutation(len(free))[:count]
    study.groups.filter(pk__in=[free[place] for place in drawn]).update(sampled=True)
    return count

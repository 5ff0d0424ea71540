"""Send the judgements of an open human study where its comparison is open."""

from django.db import transaction

from accounts.audit import audited
from annotation.engine.deadlocks import retry_on_deadlock
from evaluation.human_studies.any_looks import open_texts, settled
from evaluation.human_studies.open_queue import asks_open, put_behind
from evaluation.human_studies.workers import exclusions_of, workers_of
from evaluation.models import HumanStudy


def settle_open_studies() -> int:
    """All open human studies whose plan asks for it; how many pages were put behind."""
    studies = HumanStudy.objects.filter(state=HumanStudy.State.OPEN, comparison__queue="open")
    return sum(settle_systems(human_study=human_study, by=None) for human_study in studies)


@retry_on_deadlock
@audited
@transaction.atomic
def settle_systems(*, human_study: HumanStudy, by: object) -> int:
    """Put the pages of systems that are told from the baseline, or can be told no more, behind; how many."""
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state != HumanStudy.State.OPEN or not asks_open(locked):
        return 0
    out = exclusions_of(locked, workers_of(locked))
    told, beyond, answers = settled(locked, out)
    before = locked.draws.get("settled", {})
    now = dict.fromkeys(beyond, "beyond") | dict.fromkeys(told, "told")
    states = before | {name: {"as": state, "after": answers} for name, state in now.items() if name not in before}
    return put_behind(locked, open_texts(locked, states), states) if states else 0

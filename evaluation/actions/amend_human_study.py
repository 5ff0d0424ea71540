"""Change who is left out, or the main comparison, after a human study opened."""

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from evaluation.human_studies.fields import BETTING, EVEN, ONCE, validated_plan
from evaluation.human_studies.plan_validation import check_plan, with_control_rule
from evaluation.human_studies.sample import existing_rating_tasks, why_infeasible
from evaluation.models import HumanStudy
from foundation.errors import UserError

# Parts of the main comparison, each with the meaning of a plan that does not say it.
FROZEN = {"looks": ONCE, "evidence": BETTING, "queue": EVEN, "proxy": ""}


@audited
@transaction.atomic
def amend_human_study(
    *,
    human_study: HumanStudy,
    exclusions: Mapping[str, Any] | None = None,
    comparison: Mapping[str, Any] | None = None,
    use_controls: bool | None = None,
    by: Any,
) -> HumanStudy:
    """Replace the fields that are given; the frozen plan stays, and the report names each change with its moment."""
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state == HumanStudy.State.DRAFT:
        raise UserError("The human study is still a draft: change its plan.", where="state")
    given = {"exclusions": exclusions, "comparison": comparison, "use_controls": use_controls}
    changes = {name: value for name, value in given.items() if value is not None}
    kept = locked.plan_at_opening["rules"]["comparison"]
    before = {name: getattr(locked, name) for name in given}
    for name, value in validated_plan(locked.study, changes).items():
        setattr(locked, name, value)
    locked.exclusions = with_control_rule(locked.exclusions, locked.use_controls)
    for name, usual in FROZEN.items() if locked.comparison else ():
        if locked.comparison.get(name, usual) != kept.get(name, usual):
            raise UserError("This was frozen when the study opened.", where=f"comparison.{name}")
    check_plan(locked, locked.systems.all())
    if why := why_infeasible(locked, existing_rating_tasks(locked), len(locked.control_texts)):
        raise UserError(why, where="use_controls")
    changed = [name for name in given if getattr(locked, name) != before[name]]
    if changed:
        was, now = {name: before[name] for name in changed}, {name: getattr(locked, name) for name in changed}
        locked.amendments = [*locked.amendments, {"at": timezone.now().isoformat(), "was": was, "now": now}]
    locked.save(update_fields=[*given, "amendments"])
    human_study.refresh_from_db()
    return human_study

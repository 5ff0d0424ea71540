"""Begin a closed human study again, with other people, by the plan that was frozen."""

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from evaluation.actions.plan_human_study import free_slug, plan_human_study
from evaluation.human_studies.fields import HumanStudyFields
from evaluation.models import HumanStudy
from foundation.errors import UserError
from foundation.options import list_options

OLD = {"eligibility": "crew"}  # as kept plans call it


@audited
@transaction.atomic
def repeat_human_study(*, human_study: HumanStudy, by: Any) -> HumanStudy:
    """A draft with the frozen plan, which draws the same sample; whoever judged the first gets nothing of it."""
    lock_study(human_study.study)
    if human_study.state != HumanStudy.State.CLOSED:
        raise UserError("Only a closed human study can be repeated.", where="state")
    rules = human_study.plan_at_opening["rules"]
    kept = {one.name: OLD.get(one.name, one.name) for one in list_options(HumanStudyFields)}
    plan = {name: rules[key] for name, key in kept.items() if key in rules and name not in ("systems", "direction")}
    name = _("{name}, again").format(name=human_study.name)[:200]
    draft = plan_human_study(
        study=human_study.study, systems=list(human_study.systems.all()), by=by,
        slug=free_slug(human_study.study, name), **plan | {"name": name, "direction": human_study.direction},
    )  # fmt: skip
    draft.repeats = human_study
    draft.save(update_fields=["repeats"])
    return draft

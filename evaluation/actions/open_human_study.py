"""Open a human study: draw its sample, make its attention checks and campaigns, and freeze its plan."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.audit import audited
from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.engine.deadlocks import retry_on_deadlock
from annotation.independence import bar_people
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES
from corpora.actions.lock_study import lock_study
from corpora.models import System
from evaluation.human_studies.cost import cost_of
from evaluation.human_studies.fields import ANY
from evaluation.human_studies.plan_validation import check_plan, check_scales
from evaluation.human_studies.preregistration import preregistered_plan
from evaluation.human_studies.repeated import people_of
from evaluation.human_studies.sample import (
    RatingTask,
    attention_check_texts,
    draw_sample,
    extras_of,
    material_of,
    rating_tasks_of,
    why_infeasible,
)
from evaluation.models import HumanStudy
from foundation.errors import UserError


@retry_on_deadlock
@audited
@transaction.atomic
def open_human_study(*, human_study: HumanStudy, by: Any) -> HumanStudy:
    """From here on the plan is frozen, and people can work."""
    lock_study(human_study.study)
    locked = HumanStudy.objects.select_for_update(of=("self",)).get(pk=human_study.pk)
    if locked.state != HumanStudy.State.DRAFT:
        raise UserError("Only a draft can be opened.", where="state")
    systems = list(locked.systems.all())
    check_plan(locked, systems)
    check_scales(locked.study, locked.criteria)
    sample = draw_sample(locked, material_of(locked, systems), systems)
    if not sample:
        raise UserError("There is nothing to judge: these systems have no outputs.", where="systems")
    check_texts = attention_check_texts(locked, sample)
    works = rating_tasks_of(locked, sample, check_texts)
    if why := why_infeasible(locked, works, len(check_texts)):
        raise UserError(why, where="controls")
    cost = cost_of(locked, works, len(sample), len(check_texts))
    locked.sentence_ids = [material.sentence_id for material in sample]
    locked.control_texts = [_kept(material) for material in check_texts]
    campaigns = [_campaign(locked, work, systems, check_texts, by) for work in works]
    locked.frozen = preregistered_plan(locked, systems, campaigns, cost)
    locked.state, locked.opened_at = HumanStudy.State.OPEN, timezone.now()
    locked.save()
    locked.campaigns.set(campaigns)
    if locked.repeats is not None:
        bar_people(campaigns, people_of(locked.repeats))
    for campaign in campaigns:
        set_campaign_state(campaign=campaign, state=Campaign.State.OPEN, by=by)
    human_study.refresh_from_db()
    return human_study


def _campaign(
    human_study: HumanStudy, work: RatingTask, systems: Sequence[System], controls: Sequence[Mapping[str, Any]], by: Any
) -> Campaign:
    kind, is_any = TASK_TYPES[work.task_type], human_study.comparison.get("looks") == ANY  # which needs a drawn order
    return create_campaign(
        study=human_study.study,
        name=f"{human_study.name[:150]}: {_(kind.label).lower()}",
        slug=f"{human_study.slug[:50]}-{work.task_type.replace('_', '-')}",
        task_type=work.task_type,
        direction=human_study.direction,
        settings=work.settings,
        systems=systems,
        sentences=list(dict.fromkeys(key for key, _ in work.items if key is not None)),  # a source is ranked once
        extras=extras_of(controls) if work.task_type == "rate" else {} if is_any else None,
        overlap=human_study.judgements,
        seed=human_study.seed,
        guideline=human_study.guideline,
        splits=human_study.splits,
        eligibility=human_study.eligibility,
        pay=human_study.costs.get("pay"),
        by=by,
    )


def _kept(control: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of an attention check that are kept, by which its ratings are found."""
    return {
        "sentence": control["sentence"],
        "text": control["text"],
        "kind": control["kind"],
        "of_text": control["of"],
    }

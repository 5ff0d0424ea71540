"""Fill a study from a template: its directions, criteria and planned campaigns."""

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.actions.create_campaign import create_campaign
from annotation.campaigns.criteria import keep_criteria
from annotation.models import Campaign
from annotation.study_templates import TEMPLATES, Stage, StudyTemplate
from corpora.actions.add_direction import add_direction
from corpora.actions.edit_study import edit_study
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from foundation.errors import UserError


@audited
@transaction.atomic
def apply_template(*, study: Study, template: str, by: Any = None) -> list[Campaign]:
    """Plan the stages of a template in a study, with all that they need; returns the new campaigns.

    Nothing is made twice: a direction, a criterion or a campaign of that name stays as it is. Terms, credentials and
    restriction are set where the study has none. All of it can be changed afterwards.
    """
    lock_study(study)
    chosen = TEMPLATES[template]
    if study.template not in ("", chosen.name):
        raise UserError(
            "The study began from the template {template} already.", template=study.template, where="template"
        )
    _access(study, chosen)
    known = {direction.name for direction in study.directions.all()}
    for source, target in chosen.directions:
        if f"{source}-{target}" not in known:
            add_direction(study=study, source_style=source, target_style=target)
    keep_criteria(study, chosen.criteria)
    campaigns = _campaigns(study, chosen, by)
    study.template = chosen.name
    study.save(update_fields=["template"])
    return campaigns


def _access(study: Study, chosen: StudyTemplate) -> None:
    """Add the missing styles, and the conditions of access to the texts; later the researcher may remove these."""
    if study.template:
        return
    missing = [style for style in chosen.styles if style not in study.styles]
    edit_study(
        study=study,
        styles=[*study.styles, *missing] if missing else None,
        terms=study.terms or chosen.terms,
        required_credentials=study.required_credentials or chosen.required_credentials,
        restricted=study.restricted or chosen.restricted,
    )


def _campaigns(study: Study, chosen: StudyTemplate, by: Any) -> list[Campaign]:
    existing = {campaign.slug: campaign for campaign in study.campaigns.all()}
    directions = {direction.name: direction for direction in study.directions.all()}
    created = []
    for stage in chosen.stages:
        if stage.slug not in existing:
            existing[stage.slug] = _campaign(study, chosen, stage, directions, existing, by)
            created.append(existing[stage.slug])
    return created


def _campaign(
    study: Study,
    chosen: StudyTemplate,
    stage: Stage,
    directions: dict[str, Any],
    existing: dict[str, Campaign],
    by: Any,
) -> Campaign:
    same = ("takes", "purpose", "overlap", "splits", "needs_review", "settings", "eligibility", "checks", "reasons",
            "roles", "control_every", "pay")  # fmt: skip
    return create_campaign(
        study=study,
        slug=stage.slug,
        name=stage.title,
        task_type=stage.task,
        direction=directions[stage.direction] if stage.direction else None,
        after=existing[stage.after] if stage.after else None,
        guideline=chosen.guideline(stage),
        planned=True,
        by=by,
        **{name: getattr(stage, name) for name in same},
    )

"""Plan a human study, or change one that is still a draft."""

from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.utils.text import slugify

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study, System
from evaluation.human_studies.fields import validated_plan
from evaluation.human_studies.plan_validation import check_plan, check_scales, with_control_rule
from evaluation.models import HumanStudy
from foundation.errors import UserError

TAKEN = {"new", "preview"}


@audited
@transaction.atomic
def plan_human_study(
    *,
    study: Study,
    human_study: HumanStudy | None = None,
    systems: Sequence[System] | None = None,
    slug: str = "",
    by: Any = None,
    **fields: Any,
) -> HumanStudy:
    """Make a draft, or change the fields of `human_study` that are named; they are the model's.

    Without `systems` a new draft judges all that the study has; [] judges none, but the source or the reference.
    """
    lock_study(study)
    _as_it_is(human_study)
    draft, chosen = as_planned(study=study, human_study=human_study, systems=systems, **fields)
    if draft.pk is None:
        draft.slug, draft.made_by = free_slug(study, slug or draft.name), by
    draft.save()
    draft.systems.set(chosen)
    return draft


def _as_it_is(human_study: HumanStudy | None) -> None:
    """Read it anew and hold it: somebody may have opened or deleted it since the caller read it."""
    if human_study is None:
        return
    if HumanStudy.objects.select_for_update(of=("self",)).filter(pk=human_study.pk).first() is None:
        raise UserError("Somebody has deleted this human study.")
    human_study.refresh_from_db()


def as_planned(
    *,
    study: Study,
    human_study: HumanStudy | None = None,
    systems: Sequence[System] | None = None,
    **fields: Any,
) -> tuple[HumanStudy, list[System]]:
    """The draft as it would be, not stored, and its systems: for a preview of its cost."""
    draft = human_study or HumanStudy(study=study, name=fields.get("name", ""))
    if draft.state != HumanStudy.State.DRAFT:
        raise UserError(
            "The human study is open, so its plan is frozen; amend its exclusions or its comparison instead."
        )
    if human_study is None and not fields.get("name", "").strip():
        raise UserError("A human study needs a name.", where="name")
    if systems is None:
        systems = list(draft.systems.all() if draft.pk else study.systems.all())
    for system in systems:
        if system.study_id != study.pk:
            raise UserError("{system} belongs to another study.", system=system, where="systems")
    for name, value in validated_plan(study, fields).items():
        setattr(draft, name, value)
    draft.exclusions = with_control_rule(draft.exclusions, draft.use_controls)
    check_plan(draft, systems)
    check_scales(study, draft.criteria)
    return draft, list(systems)


def free_slug(study: Study, wanted: str) -> str:
    """An address that no other human study of the study has."""
    base = slugify(wanted)[:70].strip("-_") or "human-study"
    taken = TAKEN | set(study.human_studies.values_list("slug", flat=True))
    number, slug = 2, base
    while slug in taken:
        number, slug = number + 1, f"{base}-{number}"
    return slug

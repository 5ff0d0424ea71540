from typing import Any

from django.db import models, transaction

from accounts.audit import audited
from accounts.models import CROWD, Person
from accounts.permissions import Can, may
from annotation.models import Campaign, Criterion, Guideline, StudyScale
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from corpora.models import Direction, Membership, SectionElement, Study
from evaluation.models import MetricChoice, ReportChoice
from foundation.errors import UserError

OF_ITS_OWN = {"id", "slug", "title", "declared", "made_by", "made_at", "archived_at", "terms_version"}
NOT_OF_CAMPAIGN = {"id", "study", "direction", "after", "size", "state", "made_by", "made_at", "guideline_version"}


@audited
@transaction.atomic
def duplicate_study(*, study: Study, slug: str, title: str, members: bool = False, by: Person | None = None) -> Study:
    """A new study that is set up as this one is, without its texts and without anything that was made of them.

    It gets the directions, sections, criteria, metrics, choices of the report, and the campaigns as planned ones with
    their newest guidelines, settings and eligibility rules. Those of human studies are made when one opens, so they are
    left out. With `members` it has the same people, too; whoever makes it is a researcher of it in any case.
    """
    if by is not None and not may(by, Can.CREATE_STUDY):
        raise UserError("You may not make a study on this site; ask an admin.")
    study = Study.objects.get(pk=study.pk)  # with all its fields
    made = create_study(slug=slug, title=title, styles=study.styles, by=by)
    for field in _fields(Study, OF_ITS_OWN):
        setattr(made, field, getattr(study, field))
    made.terms_version = 1 if made.terms else 0
    made.save()
    directions = {
        direction.pk: add_direction(
            study=made, source_style=direction.source_style, target_style=direction.target_style
        )
        for direction in study.directions.order_by("number")
    }
    for model in (SectionElement, Criterion, StudyScale, MetricChoice):
        _copy(model, study, made)
    _copy(ReportChoice, study, made, baseline=None)
    _campaigns(study, made, directions, by)
    if members:
        _members(study, made, by)
    return made


def _fields(model: type[models.Model], besides: set[str]) -> list[str]:
    """The fields that are copied: all but those named, also fields added later."""
    return [field.attname for field in model._meta.concrete_fields if field.name not in besides]


def _copy(model: type[models.Model], study: Study, made: Study, **changes: Any) -> None:
    """The study's rows of a model, for the new study."""
    names = _fields(model, {"id", "study", *changes})
    rows = model._default_manager.filter(study=study).order_by("pk").values(*names)
    model._default_manager.bulk_create(model(study=made, **row, **changes) for row in rows)


def _campaigns(study: Study, made: Study, directions: dict[int, Direction], by: Any) -> None:
    names = _fields(Campaign, NOT_OF_CAMPAIGN)
    there = list(study.campaigns.filter(human_studies=None).order_by("pk"))
    new = {
        one.pk: Campaign.objects.create(
            study=made, direction=directions[one.direction_id] if one.direction_id else None, made_by=by,
            **{name: getattr(one, name) for name in names},
        )
        for one in there
    }  # fmt: skip
    for one in there:
        copy = new[one.pk]
        if one.after_id in new:
            copy.after = new[one.after_id]
            copy.save(update_fields=["after"])
        newest = one.guidelines.order_by("-version").first()
        Guideline.objects.create(campaign=copy, version=1, text=newest.text if newest else "")


def _members(study: Study, made: Study, by: Any) -> None:
    others = study.memberships.exclude(person=by).exclude(person__email__endswith=CROWD)
    Membership.objects.bulk_create(
        Membership(study=made, person_id=person, role=role) for person, role in others.values_list("person", "role")
    )

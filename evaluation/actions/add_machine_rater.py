from typing import Any
from uuid import uuid4

from django.db import transaction

from accounts.audit import audited
from accounts.models import MACHINES, Person
from accounts.permissions import Role
from annotation.actions.create_campaign import free_slug
from annotation.campaigns.items import copy_items
from annotation.models import Campaign, Guideline, MachineRater
from corpora.actions.lock_study import lock_study
from evaluation.actions.start_machine_rater import queue_machine
from evaluation.llm_judge.asking import check_model
from evaluation.llm_judge.fields import MachineFields
from evaluation.llm_judge.rater import WAYS, MachineWork
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options


@audited
@transaction.atomic
def add_machine_rater(*, campaign: Campaign, by: Any, **given: Any) -> MachineRater:
    """Have a language model rate or rank the items of a campaign, by the same queue and the same actions as people.

    It works at copies of the items, in a campaign of its own, so that it takes nobody's place, and nothing that counts
    people counts it. `given` are `MachineFields`.

    Raises:
        UserError: The work is of another kind or has no items, the texts may not leave, the site has no such model, or
            a machine of that name is there.
    """
    study = campaign.study
    lock_study(study)
    fields: MachineFields = validate_options(MachineFields, given)
    if campaign.task_type not in WAYS:
        raise UserError("A language model can rate and rank; this campaign asks for other work.", where="campaign")
    if campaign.purpose != Campaign.Purpose.WORK:
        raise UserError("A language model needs no training and no qualification.", where="campaign")
    if not campaign.size:
        raise UserError("The campaign has no items yet; it gets them when it starts.", where="campaign")
    work = MachineWork(fields, campaign.task_type, campaign.settings)
    check_model(study, fields)
    name = (fields.name or fields.asked)[:40]
    if campaign.machines.filter(name=name).exists():
        raise UserError("A machine of the name '{name}' works here already.", name=name, where="name")
    pseudonym = uuid4()
    person = Person.objects.create_user(
        f"{pseudonym.hex}{MACHINES}", None, role=Role.CROWD_ANNOTATOR, pseudonym=pseudonym, is_active=False,
        name=f"machine: {name}",
    )  # fmt: skip
    own = _campaign_of(campaign, name, by)
    settings = {**options_as_stored(fields), "message": work.prompt.message}
    machine = MachineRater.objects.create(
        campaign=own, of=campaign, person=person, name=name, prompt=work.prompt.version, settings=settings
    )
    copy_items(own, campaign)
    queue_machine(machine, by)
    return machine


def _campaign_of(campaign: Campaign, name: str, by: Any) -> Campaign:
    """The campaign of the machine alone: no role works there, nobody is paid, and an item has one place."""
    own = Campaign.everything.create(
        study=campaign.study, machine_of=campaign, slug=free_slug(campaign.study, f"{campaign.slug}-machine"),
        name=f"{campaign.name} (machine: {name})"[:200], task_type=campaign.task_type, direction=campaign.direction,
        settings=campaign.settings, overlap=1, roles=[], seed=campaign.seed, splits=campaign.splits,
        state=Campaign.State.OPEN, made_by=by,
    )  # fmt: skip
    newest = campaign.guidelines.order_by("-version").first()
    Guideline.objects.create(campaign=own, version=1, text=newest.text if newest else "")
    return own

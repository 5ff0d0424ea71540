from dataclasses import replace
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
from evaluation.llm_judge.fields import LONGEST_MACHINE, MachineFields
from evaluation.llm_judge.kinds import KINDS
from foundation.errors import UserError
from foundation.options import options_as_stored, validate_options


@audited
@transaction.atomic
def add_machine_rater(*, campaign: Campaign, by: Any, **given: Any) -> MachineRater:
    """Have a language model judge the items of a campaign, by the same queue and the same actions as people.

    It works at copies of the items, in a campaign of its own, so that it takes nobody's place, and nothing that counts
    people counts it. Its prompt tells the guideline of now, and keeps it. `given` are `MachineFields`.

    Raises:
        UserError: The work is of another kind or has no items, the texts may not leave, the site has no such model, or
            a machine of that name is there.
    """
    study = campaign.study
    lock_study(study)
    fields: MachineFields = validate_options(MachineFields, given)
    if campaign.task_type not in KINDS:
        raise UserError(
            "A language model can rate, rank, choose the best and the worst, and mark spans; this campaign asks for "
            "other work.", where="campaign",
        )  # fmt: skip
    if campaign.purpose != Campaign.Purpose.WORK:
        raise UserError("A language model needs no training and no qualification.", where="campaign")
    if not campaign.size:
        raise UserError("The campaign has no items yet; it gets them when it starts.", where="campaign")
    guideline = campaign.guidelines.get(version=campaign.guideline_version)
    work = KINDS[campaign.task_type](fields, campaign.settings, guideline.text)
    fields = replace(fields, message=work.prompt.message, most_tokens=fields.most_tokens or work.tokens)
    check_model(study, fields)
    name = fields.name or _free_name(campaign, fields.asked)
    if campaign.machines.filter(name=name).exists():
        raise UserError("A machine of the name '{name}' works here already.", name=name, where="name")
    pseudonym = uuid4()
    person = Person.objects.create_user(
        f"{pseudonym.hex}{MACHINES}", None, role=Role.CROWD_ANNOTATOR, pseudonym=pseudonym, is_active=False,
        name=f"machine: {name}",
    )  # fmt: skip
    own = _campaign_of(campaign, name, guideline, by)
    machine = MachineRater.objects.create(
        campaign=own, of=campaign, person=person, name=name, prompt=work.prompt.version,
        settings=options_as_stored(fields),
    )  # fmt: skip
    copy_items(own, campaign)
    queue_machine(machine, by)
    return machine


def _free_name(campaign: Campaign, asked: str) -> str:
    """The model's name; with the guideline's version where the model works here already, by an earlier one."""
    taken = campaign.machines.filter(name=asked[:LONGEST_MACHINE]).select_related("campaign").first()
    version = campaign.guideline_version
    if taken is None or taken.campaign.guideline_version == version:
        return asked[:LONGEST_MACHINE]
    ending = f", guideline {version}"
    return asked[: LONGEST_MACHINE - len(ending)] + ending


def _campaign_of(campaign: Campaign, name: str, guideline: Guideline, by: Any) -> Campaign:
    """The campaign of the machine alone: no role works there, nobody is paid, and an item has one place."""
    own = Campaign.everything.create(
        study=campaign.study, machine_of=campaign, slug=free_slug(campaign.study, f"{campaign.slug}-machine"),
        name=f"{campaign.name} (machine: {name})"[:200], task_type=campaign.task_type, direction=campaign.direction,
        settings=campaign.settings, overlap=1, roles=[], seed=campaign.seed, splits=campaign.splits,
        state=Campaign.State.OPEN, made_by=by, guideline_version=guideline.version,
    )  # fmt: skip
    Guideline.objects.create(campaign=own, version=guideline.version, text=guideline.text)
    return own

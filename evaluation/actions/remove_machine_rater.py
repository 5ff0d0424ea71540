from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import Campaign, MachineRater
from corpora.actions.lock_study import lock_study
from corpora.models import Removal
from corpora.trash import move_to_trash
from foundation.errors import UserError
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def remove_machine_rater(*, machine: MachineRater, by: Any = None) -> Removal:
    """Take a machine out of a campaign with all its answers; it can be restored. A UserError while it is at work."""
    study = machine.of.study
    lock_study(study)
    if machine.job and machine.job.state in UNFINISHED:
        raise UserError("'{name}' is at work; cancel its job first.", name=machine.name, where="name")
    rows = {Campaign: [machine.campaign_id]}
    name = machine.campaign.name
    return move_to_trash(study=study, kind=Removal.Kind.CAMPAIGN, name=name, rows=rows, declared={}, by=by)

from typing import Any

from django.db import transaction

from accounts.audit import audited
from annotation.models import MachineRater
from corpora.actions.lock_study import lock_study
from evaluation.llm_judge.asking import check_model
from evaluation.llm_judge.fields import MachineFields
from foundation.errors import UserError
from foundation.options import validate_options
from jobs.actions.queue_job import queue_job
from jobs.models import UNFINISHED


@audited
@transaction.atomic
def start_machine_rater(*, machine: MachineRater, by: Any) -> MachineRater:
    """Let a machine go on: after a stop, or with the items that its campaign got since. Nothing is paid twice.

    Raises:
        UserError: It is at work, or the texts may not leave any more.
    """
    lock_study(machine.of.study)
    if machine.job and machine.job.state in UNFINISHED:
        raise UserError("'{name}' is at work already.", name=machine.name, where="name")
    check_model(machine.of.study, validate_options(MachineFields, machine.settings))
    queue_machine(machine, by)
    return machine


def queue_machine(machine: MachineRater, by: Any) -> None:
    """A new job for it."""
    machine.job = queue_job(
        task="evaluation.tasks.rate_by_machine", title=machine.shown, study_slug=machine.of.study.slug, by=by
    )
    machine.save(update_fields=["job"])

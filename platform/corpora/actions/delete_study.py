from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Removal, Study
from corpora.trash import move_to_trash
from foundation.errors import UserError
from jobs.models import Job


@audited
@transaction.atomic
def delete_study(*, study: Study, title: str, by: Any = None) -> Removal:
    """Take a whole study away, with its jobs; its title is typed, so that it is no other one.

    A UserError where a release was made of it: releases stay, and so do the rows that they need.
    """
    lock_study(study, archived=True)
    if title.strip() != study.title:
        raise UserError("This is not the title of the study; type the title as it is written above.", where="title")
    jobs = Job.objects.filter(study_slug=study.slug).values_list("pk", flat=True)
    rows = {Study: [study.pk], Job: jobs}
    return move_to_trash(study=study, kind=Removal.Kind.STUDY, name=study.title, rows=rows, by=by)

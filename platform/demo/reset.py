"""The job that makes the demo's studies anew, for the people who are there."""

from django.db import transaction
from django.utils import timezone

from accounts.models import Person
from accounts.permissions import Role
from corpora.actions.delete_study import delete_study
from corpora.actions.edit_study import edit_study
from corpora.actions.set_archived import set_archived
from corpora.models import Study
from demo.actions.start_demo_reset import SLUGS
from demo.seed import PEOPLE, make_studies
from demo.simulated import make_raters
from foundation.errors import UserError
from jobs.execution import JobResult, Progress
from jobs.models import Job


@transaction.atomic
def reset_demo(job: Job, progress: Progress) -> JobResult:
    """Delete the demo's studies, or archive those with a release, which stays; then make them anew.

    All of it or nothing. A study whose address is taken by an archived one gets the next number behind its own.
    """
    people = _people()
    by = people[Role.ADMIN]
    archived = 0
    there = Study.objects.filter(slug__regex=SLUGS, made_by=people[Role.RESEARCHER]).active()
    for study in there.order_by("pk"):
        if study.releases.exists():
            until = f"{timezone.now():%Y-%m-%d %H:%M:%S}"
            edit_study(study=study, title=f"{study.title}, until {until}")  # the new one has its title
            set_archived(study=study, archived=True, by=by)
            archived += 1
        else:
            delete_study(study=study, title=study.title, by=by)
    make_studies(people, make_raters(), whole=True)
    return JobResult(
        f"The demo is as at the first start; {archived} of its studies are archived, as they have releases."
    )


def _people() -> dict[str, Person]:
    there = {person.email: person for person in Person.objects.filter(is_active=True)}
    missing = [email for email, _, _ in PEOPLE if email not in there]
    if missing:
        raise UserError("The demo needs {person}, who no longer has an account here.", person=missing[0])
    return {role.value: there[email] for email, _, role in PEOPLE}

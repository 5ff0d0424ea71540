"""Erasing somebody takes their identity out of every table, and leaves what they made."""

from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection, models
from support import campaigns as made

from accounts.actions.erase_person import erase_person
from accounts.actions.reactivate_person import reactivate_person
from accounts.actions.rename_person import rename_person
from accounts.actions.set_credential import set_credential
from accounts.models import AuditEntry, Person
from accounts.permissions import Role
from annotation.actions.report_problem import report_problem
from annotation.actions.review_answer import review_answer
from annotation.actions.skip_item import skip_item
from annotation.models import Answer
from foundation.errors import UserError
from jobs.models import Job

pytestmark = pytest.mark.django_db
NAME, EMAIL = "Zacharias Quillfeather", "zacharias@example.org"


@pytest.fixture
def study():
    return made.study(items=4)


@pytest.fixture
def somebody(study):
    """Somebody who worked, whose name and address stand in comments, logs and the trail."""
    person = made.person(Role.CROWD_ANNOTATOR, study, name=NAME)
    Person.objects.filter(pk=person.pk).update(email=EMAIL)
    person.refresh_from_db()
    rename_person(person=person, name=NAME)
    set_credential(person=person, name="md", evidence=f"Saw the diploma of {NAME}.", by=made.person(Role.ADMIN))
    return person


def everywhere():
    """Every text of the database, by table and column."""
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            for field in model._meta.concrete_fields:
                if isinstance(field, models.CharField | models.TextField | models.JSONField):
                    cursor.execute(f'SELECT "{field.column}"::text FROM "{model._meta.db_table}"')  # noqa: S608
                    yield from ((model._meta.label, field.name, value) for (value,) in cursor.fetchall())


def test_no_table_names_them_any_more(study, somebody):
    campaign = made.campaign(study)
    answer = made.hand_in(campaign, somebody, made.held(campaign, somebody)).answer
    reviewer = made.person(Role.REVIEWER, study)
    review_answer(
        answer=Answer.objects.get(pk=answer), verdict="rejected", by=reviewer, comment=f"Dear {NAME.upper()}, no."
    )
    work = made.held(campaign, somebody)
    skip_item(
        study=study, campaign=campaign.slug, person=somebody, assignment=work.assignment, lease=work.lease, key=uuid4(),
        comment=f"Write to {EMAIL}, says Zacharias.",
    )  # fmt: skip
    Job.objects.create(
        task="none", queue="default", title=f"For {NAME}", study_slug=study.slug, log=f"asked by {EMAIL}",
        queued_at=campaign.made_at,
    )  # fmt: skip
    found = [place for *place, value in everywhere() if value and "zacharias" in value.lower()]
    assert len(found) >= 6
    erase_person(person=somebody, by=made.person(Role.ADMIN))
    left = [(*place, value) for *place, value in everywhere() if value and "zacharias" in value.lower()]
    assert left == []
    assert not [value for *_, value in everywhere() if value and "quillfeather" in value.lower()]


def test_what_they_made_stays_under_their_pseudonym(study, somebody):
    campaign = made.campaign(study)
    made.hand_in(campaign, somebody, made.held(campaign, somebody))
    pseudonym = somebody.pseudonym
    erase_person(person=somebody)
    answer = Answer.objects.get(person=somebody)
    assert answer.content == {"text": "I have to see number 1."}
    assert answer.person.pseudonym == pseudonym


def test_nobody_comes_back(somebody):
    erase_person(person=somebody)
    somebody.refresh_from_db()
    assert not somebody.is_active
    assert not somebody.has_usable_password()
    with pytest.raises(UserError, match="nobody can bring them back"):
        reactivate_person(person=somebody)
    with pytest.raises(UserError, match="already erased"):
        erase_person(person=somebody)


def test_the_last_admin_stays():
    admin = made.person(Role.ADMIN)
    with pytest.raises(UserError, match="last admin"):
        erase_person(person=admin)


def test_a_short_name_takes_nothing_out_of_other_words(study):
    person = made.person(Role.CROWD_ANNOTATOR, study, name="Al")
    other = made.person(Role.REVIEWER, study)
    campaign = made.campaign(study)
    answer = made.hand_in(campaign, person, made.held(campaign, person)).answer
    review = review_answer(
        answer=Answer.objects.get(pk=answer), verdict="rejected", by=other, comment="Also all of it."
    )
    erase_person(person=person)
    review.refresh_from_db()
    assert review.comment == "Also all of it."


@pytest.mark.parametrize(
    "name", ["Kind True Null 2024", 'O"Neil Quill\\feather', "Unreadable Comment", "Back\\middle Slash"]
)
def test_a_name_that_is_a_word_of_json_breaks_nothing(study, name):
    campaign, person = made.campaign(study), made.person(study=study, name=name)
    work = made.held(campaign, person)
    report_problem(
        study=study, campaign=campaign.slug, person=person, assignment=work.assignment, lease=work.lease, key=uuid4(),
        kind="harmful", comment=f"I am {name}.",
    )  # fmt: skip
    entry = AuditEntry.objects.create(action="none", details={"kind": True, "count": 2024, "said": name})
    erase_person(person=person)
    content = Answer.objects.get(person=person).content
    assert content["kind"] == "harmful"
    assert set(content["comment"].split()) <= {"I", "am", "[erased].", "[erased]"}
    entry.refresh_from_db()
    assert (entry.details["kind"], entry.details["count"]) == (True, 2024)
    assert not set(name.split()) & set(entry.details["said"].split())

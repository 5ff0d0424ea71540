"""The whole demo as the first start makes it, and made anew: what its tour tells is so."""

import pytest

from accounts.models import Person
from annotation.models import Answer
from corpora.models import Removal, Study
from demo.actions.start_demo_reset import start_demo_reset
from demo.clinical import SYSTEMS
from demo.reset import reset_demo
from demo.seed import seed_demo
from demo.tour import SLUG
from jobs.execution import Progress
from jobs.models import UNFINISHED, Job

pytestmark = [pytest.mark.django_db, pytest.mark.soak]  # twelve raters do their pages twice


@pytest.fixture(autouse=True)
def demo(settings):
    settings.EMBEDDED = settings.DEMO = True
    return seed_demo()


def test_the_letters_are_as_the_tour_says():
    study = Study.objects.get(slug=SLUG)
    assert study.directions.get().sentences.count() == 300
    assert set(study.systems.values_list("name", flat=True)) == set(SYSTEMS)
    human = study.human_studies.get()
    assert human.state == "closed"
    campaigns = human.campaigns.all()
    assert Answer.objects.filter(campaign__in=campaigns).values("person").distinct().count() == 12
    assert study.releases.count() == 1
    assert set(study.trainings.values_list("model", flat=True)) == {"pbmt", "seq2seq"}


def test_a_reset_leaves_one_active_study_of_each_and_loses_nothing():
    before = {study.pk: study.slug for study in Study.objects.all()}
    people = Person.objects.count()
    Job.objects.filter(state__in=UNFINISHED).update(state=Job.State.CANCELLED)
    job = start_demo_reset(send=False)
    said = reset_demo(job, Progress(job)).said
    assert "1 of its studies are archived" in said
    active = Study.objects.active()
    assert sorted(active.values_list("slug", flat=True)) == ["demo", "plain-abstracts", f"{SLUG}-2"]
    assert not set(active.values_list("pk", flat=True)) & set(before)
    assert Study.objects.get(slug=SLUG).archived_at is not None
    assert Removal.objects.filter(kind=Removal.Kind.STUDY).count() == 2
    assert Person.objects.count() == people

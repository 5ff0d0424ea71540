"""More sentences than a request goes through: a job selects them, and its log says what came."""

import pytest
from django.urls import reverse

from accounts.models import Person
from corpora import background_jobs
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.select_sources import select_sources
from corpora.actions.start_selection import start_selection
from corpora.formats import RawDocument, RawSection
from corpora.models import DocumentSentence, SelectionRun, Sentence, Study
from corpora.source_selection import SelectionCriteria, choose_sentences
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = ("i like it a lot, you know", "is it?", "too short", "they went to the shop and came back")


@pytest.fixture
def lead():
    return Person.objects.create_user("lead@example.org", role="admin")


@pytest.fixture
def direction(lead):
    study = Study.objects.create(slug="large", title="Large", styles=["informal", "formal"])
    add_documents(study=study, documents=[RawDocument((RawSection("", TEXTS),))], style="informal")
    return add_direction(study=study, source_style="informal", target_style="formal")


def done(run):
    run_job(run.job_id, background_jobs.select_for)
    run.refresh_from_db()
    run.job.refresh_from_db()
    return run


def test_a_job_counts_and_selects_what_a_request_would(direction, lead):
    wish = SelectionCriteria("gyafc")
    expected = choose_sentences(direction, wish)
    counted = done(start_selection(direction=direction, wish=wish, preview=True, by=lead))
    assert (counted.taken, counted.left) == (len(expected.taken), dict(expected.left)) == (
        2, {"question": 1, "too_short": 1}
    )  # fmt: skip
    assert not Sentence.objects.exists()
    made = done(start_selection(direction=direction, wish=wish, split="train", by=lead))
    assert (made.taken, made.job.state) == (2, Job.State.DONE)
    assert list(Sentence.objects.values_list("text", "split")) == [(TEXTS[0], "train"), (TEXTS[3], "train")]
    assert "2 of 4 sentences are sources." in made.job.log
    assert "It is a question: 1." in made.job.log


def test_a_job_that_is_run_again_selects_nothing_twice(direction, lead):
    run = done(start_selection(direction=direction, wish=SelectionCriteria(), by=lead))
    Job.objects.filter(pk=run.job_id).update(state=Job.State.QUEUED)
    assert done(run).job.state == Job.State.DONE
    assert Sentence.objects.count() == len(TEXTS)


def test_one_selection_at_a_time(direction, lead):
    start_selection(direction=direction, wish=SelectionCriteria(), by=lead)
    with pytest.raises(UserError, match="already running"):
        start_selection(direction=direction, wish=SelectionCriteria(), by=lead)


def test_what_was_chosen_before_the_documents_changed_is_refused(direction):
    choice = choose_sentences(direction, SelectionCriteria())
    DocumentSentence.objects.filter(pk=choice.taken[0]).update(held=True)
    with pytest.raises(UserError, match="changed meanwhile"):
        select_sources(direction=direction, wish=SelectionCriteria(), choice=choice)
    assert not Sentence.objects.exists()


def test_page_and_endpoint_hand_large_selections_to_a_job(direction, lead, client, monkeypatch):
    monkeypatch.setattr(background_jobs, "AT_ONCE", 3)
    client.force_login(lead)
    form = {"direction": direction.number, "rule": "everything", "seed": 1, "split": "test", "write": "1"}
    page = client.post(reverse("sources_select", args=["large"]), form)
    run = SelectionRun.objects.get()
    assert page["Location"] == reverse("job", args=["large", run.job_id])
    done(run)
    assert Sentence.objects.count() == len(TEXTS)
    asked = {"direction": direction.name, "preview": True}
    answer = client.post(reverse("api:selection-list", args=["large"]), asked, content_type="application/json")
    assert answer.status_code == 202, answer.content
    assert SelectionRun.objects.get(job=answer.json()["id"]).preview

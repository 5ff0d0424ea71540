"""Events: written with what happened, numbered when it is over, and told to those who may know."""

import threading
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.utils import timezone
from support import campaigns as make
from support.clients import with_token

from accounts.permissions import Role
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Release
from evaluation.actions.make_report import make_report
from foundation.errors import UserError
from integrations.events.models import Event
from integrations.events.publishing import note_progress, prune, publish
from integrations.events.recording import record
from jobs.actions.cancel_job import cancel_job
from jobs.actions.queue_job import queue_job
from jobs.execution import JobResult, run_job

pytestmark = pytest.mark.django_db(transaction=True)


def told(client, **asked):
    answer = client.get("/api/events/", asked)
    assert answer.status_code == 200, answer.content
    return answer.json()


def kinds(client, **asked):
    return [event["type"] for event in told(client, **asked)["events"]]


def test_what_happens_in_a_study_is_told_in_its_order_and_to_nobody_else():
    study = make.study(items=2, systems=2)
    lead, stranger = make.person(Role.RESEARCHER, study), make.person(Role.RESEARCHER)
    campaign = make.campaign(study, name="Letters")
    revise_guideline(campaign=campaign, text="Be kind.", by=lead)
    revise_guideline(campaign=campaign, text="Be kind.", by=lead)  # the same text: no new version
    with pytest.raises(UserError):
        set_campaign_state(campaign=campaign, state="pilot", by=lead)
    set_campaign_state(campaign=campaign, state="closed", by=lead)
    make_report(study=study)
    Release.objects.create(study=study, number=1, datasheet="# A", counts={"rows": 3}, key=b"k" * 32)
    answer = told(with_token(lead))
    assert [event["type"] for event in answer["events"]] == [
        "campaign.opened", "guideline.changed", "campaign.closed", "report.ready", "release.published",
    ]  # fmt: skip
    changed = answer["events"][1]
    number = changed["data"].pop("id")
    assert changed["data"] == {"study": study.slug, "campaign": campaign.slug, "version": 2}
    assert kinds(with_token(lead), after=number) == ["campaign.closed", "report.ready", "release.published"]
    assert kinds(with_token(lead), kind=["report.ready", "campaign.closed"]) == ["campaign.closed", "report.ready"]
    assert told(with_token(lead), after=answer["after"]) == {"events": [], "after": answer["after"], "more": False}
    page = told(with_token(lead), size=2)
    assert (len(page["events"]), page["after"], page["more"]) == (2, number, True)
    assert told(with_token(stranger))["events"] == []
    assert with_token(lead).get("/api/events/", {"kind": "gossip"}).status_code == 400
    assert with_token(lead).get("/api/events/", {"after": "-1"}).status_code == 400


def test_annotators_hear_of_campaigns_for_them_and_of_no_system():
    study = make.study(items=2, systems=2)
    worker = make.person(Role.CROWD_ANNOTATOR, study)
    make.campaign(study, name="For all")
    make.campaign(study, name="For experts", roles=["expert_annotator"])
    make_report(study=study)
    queue = queue_job(
        task="modelserving.tasks.transfer", title="Run of NeuralSecret", study_slug=study.slug, by=None, send=False
    )
    cancel_job(job=queue)
    seen = told(with_token(worker))["events"]
    assert [(event["type"], event["data"]["campaign"]) for event in seen] == [("campaign.opened", "for-all")]
    lead = make.person(Role.RESEARCHER, study)
    cancelled = told(with_token(lead), kind="job.cancelled")
    assert cancelled["events"][0]["data"]["task"] == "transfer"
    assert "Secret" not in str(told(with_token(lead)))


def test_a_job_that_ends_says_how_and_the_event_goes_with_the_transaction():
    study = make.study(items=2)
    lead = make.person(Role.RESEARCHER, study)

    def fail(job, progress):
        raise UserError("There is no such file, dear Ada.")

    for work in (lambda job, progress: JobResult("Done so."), fail):
        run_job(queue_job(task="corpora.tasks.x", title="A", study_slug=study.slug, by=lead, send=False).pk, work)
    assert kinds(with_token(lead)) == ["job.done", "job.failed"]
    assert "Ada" not in str(told(with_token(lead)))
    with transaction.atomic():
        record("report.ready", study)
        transaction.set_rollback(True)
    assert kinds(with_token(lead)) == ["job.done", "job.failed"]


def test_no_event_of_a_slow_transaction_is_passed_over():
    """An event whose key is smaller, but whose transaction ends later, has the larger number."""
    study = make.study(items=2)
    lead = make.person(Role.RESEARCHER, study)
    begun, go_on = threading.Event(), threading.Event()

    def slowly():
        with transaction.atomic():
            record("report.ready", study)
            begun.set()
            assert go_on.wait(20)
        connection.close()

    thread = threading.Thread(target=slowly)
    thread.start()
    assert begun.wait(20)
    record("release.published", study, release=1, rows=1)
    first = told(with_token(lead))
    go_on.set()
    thread.join()
    assert [event["type"] for event in first["events"]] == ["release.published"]
    assert kinds(with_token(lead), after=first["after"]) == ["report.ready"]
    assert list(Event.objects.order_by("pk").values_list("kind", flat=True)) == ["report.ready", "release.published"]


def test_quarters_of_a_campaign_are_told_once_and_again_when_it_grew():
    from annotation.actions.grow_campaign import grow_campaign

    study = make.study(items=4)
    lead, worker = make.person(Role.RESEARCHER, study), make.person(study=study)
    campaign = make.campaign(study)
    done = []
    for _ in range(4):
        make.hand_in(campaign, worker, make.held(campaign, worker))
        done.append((note_progress(), note_progress()))
    assert done == [(1, 0)] * 4
    events = told(with_token(lead), kind=["campaign.progress", "campaign.complete"])["events"]
    assert [(event["data"]["percent"], event["data"]["done"]) for event in events] == [
        (25, 1),
        (50, 2),
        (75, 3),
        (100, 4),
    ]
    assert events[-1]["type"] == "campaign.complete"
    grow_campaign(campaign=campaign, overlap=2, by=None)
    assert note_progress() == 1


def test_old_events_go_and_numbers_go_on():
    study = make.study(items=2)
    for _ in range(3):
        record("report.ready", study)
    publish()
    newest = Event.objects.latest("number").number
    Event.objects.update(at=timezone.now() - timedelta(days=40))
    assert prune() == 3
    record("report.ready", study)
    publish()
    assert Event.objects.get().number == newest + 1

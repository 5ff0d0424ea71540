"""A job says what it made: in its row, on its page, in the list and through the API; a warning says what to look at."""

import pytest
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import as_person
from support.documents import documents
from support.training_studies import TUNE, training_study
from support.word_model import Words, register

from accounts.actions.erase_person import erase_person
from accounts.permissions import Role
from annotation import tasks as annotating
from annotation.actions.start_agreement import start_agreement
from annotation.actions.start_release import start_release
from annotation.models import Release
from corpora.actions.start_selection import start_selection
from corpora.background_jobs import select_for
from corpora.source_selection import SelectionCriteria
from evaluation import tasks as scoring
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from jobs.actions.retry_job import retry_job
from jobs.execution import JobResult, run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_file_transfer, start_transfer
from modelserving.models import TransferRun
from modelserving.training_runs.execution import clear_up, run_training
from modelserving.transfer_runs import run_transfer

pytestmark = pytest.mark.django_db(transaction=True)
EMPTY = "The model wrote nothing for "


@pytest.fixture
def words(monkeypatch, settings, tmp_path):
    register(monkeypatch)
    settings.WORK_FOLDER = tmp_path / "work"


def silent(monkeypatch, which=lambda text: True):
    """The model writes nothing for these texts from now on."""
    write = Words.transfer

    def transfer(self, texts, direction, decoding):
        texts = list(texts)
        return (
            "" if which(text) else out for text, out in zip(texts, write(self, texts, direction, decoding), strict=True)
        )

    monkeypatch.setattr(Words, "transfer", transfer)


def trained(study):
    run = start_training(study=study, model="words", by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    run.refresh_from_db()
    return run


def after(pk, work):
    run_job(pk, work)
    return Job.objects.get(pk=pk)


def test_what_it_made_stands_in_row_log_page_list_and_api():
    study = make.study()
    lead = as_person(make.person(Role.RESEARCHER, study))
    job = Job.objects.create(task="t", queue="default", title="Work", study_slug=study.slug, queued_at=timezone.now())
    ended = after(job.pk, lambda job, progress: JobResult("3 of 4 texts came in.", "One was empty."))
    assert (ended.told, ended.warning) == ("3 of 4 texts came in.", "One was empty.")
    assert [line[9:] for line in ended.log.splitlines()] == [
        "Started.", "3 of 4 texts came in.", "Warning: One was empty.", "Done."
    ]  # fmt: skip
    page = lead.get(f"/studies/{study.slug}/jobs/{job.pk}/").content.decode()
    assert '<p id="job-told" dir="auto">3 of 4 texts came in.</p>' in page
    assert 'class="message warning"' in page
    listed = lead.get(f"/studies/{study.slug}/jobs/").content.decode()
    assert "with a warning" in listed
    assert "One was empty." in listed
    told = lead.get(f"/api/studies/{study.slug}/jobs/").json()
    (row,) = told["results"] if isinstance(told, dict) else told
    assert (row["told"], row["warning"]) == ("3 of 4 texts came in.", "One was empty.")


def test_run_again_it_says_nothing_of_the_last_time():
    job = Job.objects.create(
        task="t", queue="default", title="Work", state="failed", told="Old.", warning="Old.", queued_at=timezone.now()
    )
    again = retry_job(job=job, send=False)
    assert (again.told, again.warning) == ("", "")


def test_who_is_erased_is_named_in_none(django_user_model):
    job = Job.objects.create(task="t", queue="default", title="W", queued_at=timezone.now())
    after(job.pk, lambda job, progress: JobResult("Ada Byron's 3 texts came in.", "Ada Byron's last was empty."))
    erase_person(person=make.person(name="Ada Byron"), by=make.person(Role.ADMIN))
    job.refresh_from_db()
    assert "Byron" not in job.told + job.warning + job.log


def test_a_run_that_wrote_nothing_is_not_30_of_30(words, monkeypatch):
    study = training_study()
    checkpoint = trained(study).checkpoints.get(kind="best")
    silent(monkeypatch)
    run = start_transfer(study=study, checkpoint=checkpoint, name="Words", by=None)
    job = after(run.job_id, run_transfer)
    assert (job.state, job.done, job.total) == (Job.State.DONE, 0, 24)
    assert (job.told, job.warning) == ("0 of 24 sources have an output.", f"{EMPTY}any source.")


def test_a_run_counts_what_it_wrote_also_after_another_worker(words, monkeypatch):
    study = training_study()
    checkpoint = trained(study).checkpoints.get(kind="best")
    silent(monkeypatch, lambda text: text.endswith("3"))  # n3, n13 and n23
    run = start_transfer(study=study, checkpoint=checkpoint, name="Words", by=None)
    for _ in range(2):
        job = after(run.job_id, run_transfer)
        assert (job.done, job.total, job.told) == (21, 24, "21 of 24 sources have an output.")
        assert job.warning == f"{EMPTY}3 sources."
        Job.objects.filter(pk=job.pk).update(state="queued")


def test_lines_that_came_out_empty_are_counted(words, monkeypatch):
    from django.core.files.uploadedfile import SimpleUploadedFile

    study = training_study()
    checkpoint = trained(study).checkpoints.get(kind="best")
    silent(monkeypatch, lambda text: text == "plz")
    lines = SimpleUploadedFile("l.txt", b"wat\nplz\nu\n")
    way = study.directions.get()
    run = start_file_transfer(study=study, checkpoint=checkpoint, direction=way, file=lines, by=None)
    job = after(TransferRun.objects.get(pk=run.pk).job_id, run_transfer)
    assert (job.told, job.warning) == ("2 of 3 lines are rewritten.", f"{EMPTY}1 line.")


def test_a_training_says_what_is_kept_and_how_good_it_is(words):
    job = trained(training_study()).job
    job.refresh_from_db()
    assert "kept: best, last. Best agreement: 0.48 at step 48, higher is better." in job.told
    assert job.warning == ""


def test_a_training_whose_outputs_are_all_empty_ends_with_a_warning(words, monkeypatch):
    silent(monkeypatch)
    study = training_study()
    run = trained(study)
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE
    assert run.job.warning == f"It writes nothing: all of its {TUNE} samples at step 48 are empty."
    lead = as_person(make.person(Role.RESEARCHER, study))
    assert "It writes nothing" in lead.get(reverse("training", args=[study.slug, run.pk])).content.decode()


def test_metrics_say_how_many_scores_there_are_and_which_are_lacking():
    study = make.study(items=4, systems=2)
    choose_metrics(study=study, metrics={"self_bleu": {}})
    job = start_metrics(study=study, by=None).job
    scoring.score(job.pk)
    job.refresh_from_db()
    assert (job.told, job.warning) == ("The report is ready: 2 of 2 scores.", "")
    study.systems.first().outputs.all().delete()
    study.metric_choices.all().delete()
    choose_metrics(study=study, metrics={"self_bleu": {}, "fkgl": {}})
    job = start_metrics(study=study, by=None).job
    scoring.score(job.pk)
    job.refresh_from_db()
    assert job.told == "The report is ready: 2 of 4 scores."
    assert job.warning.startswith("Without a score: ")
    assert "of RuleBasedSecret: " in job.warning


def test_a_release_says_what_it_holds_and_which_form_nothing_could_be_written_as():
    study = make.study(items=2)
    campaign, who = make.campaign(study), make.person(study=study)
    for _ in range(2):
        make.hand_in(campaign, who, make.held(campaign, who))
    run = start_release(study=study, settings={"forms": ["jsonl"]}, by=make.person(Role.RESEARCHER, study))
    annotating.release(run.job_id)
    run.job.refresh_from_db()
    assert Release.objects.filter(study=study).count() == 1
    assert run.job.told == "Release 1, with rows: 2; sources: 2; files: 1."
    assert run.job.warning == ""


def test_an_agreement_of_nobody_says_so():
    study = make.study(items=2)
    campaign, who = make.campaign(study), make.person(study=study)
    make.hand_in(campaign, who, make.held(campaign, who))
    run = start_agreement(campaign=campaign, by=make.person(Role.RESEARCHER, study))
    annotating.agreement(run.job_id)
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE
    assert run.job.warning == "No item was answered by two people, so there is no agreement yet."


def test_a_selection_that_takes_nothing_says_why():
    study = make.study(items=1)
    documents(study)
    wish = SelectionCriteria("gyafc", settings={"shortest": 40, "longest": 50})
    lead = make.person(Role.RESEARCHER, study)
    run = start_selection(direction=study.directions.get(), wish=wish, preview=True, by=lead)
    job = after(run.job_id, select_for)
    assert job.state == Job.State.DONE, job.error
    assert job.told.startswith("0 of ")
    assert job.warning.startswith("Not one sentence was selected: ")

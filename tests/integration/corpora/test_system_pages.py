from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from support.campaigns import campaign

from annotation.models import Criterion
from corpora.actions.add_references import add_references
from corpora.models import Direction, Output, ReferenceSet, Study, System
from evaluation.actions.start_metrics import start_metrics
from evaluation.models import Judgement, RatingsImport
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_transfer import start_transfer
from modelserving.transfer_runs import run_transfer

DIRECTION = "informal-formal"


def upload(content: bytes, name: str = "out.txt") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, content)


def send(browser: Client, **form: Any) -> Any:
    return browser.post(reverse("api:system-list", args=["tone"]), {"name": "Rules", "direction": DIRECTION, **form})


@pytest.fixture
def system(browser: Client, study: Study) -> System:
    assert send(browser, file=upload(b"Hello.\nAre you OK?\nGoodbye.\n")).status_code == 201
    return System.objects.get()


def remove(browser: Client, system: System) -> str:
    answer = browser.post(reverse("system_remove", args=["tone", system.pk]), follow=True)
    return str(list(answer.context["messages"])[-1])


def test_a_joined_table_with_missing_outputs(browser: Client, study: Study) -> None:
    table = upload(b'source,output\nbye,Goodbye.\nhi,"Hello, you."\n', "out.csv")
    form = {"file": table, "source": "source", "text": "output", "missing": "true", "human": "true"}
    assert send(browser, **form).status_code == 201
    made = System.objects.get()
    assert (made.is_human, made.allows_missing, made.origin) == (True, True, "out.csv")
    page = browser.get(reverse("study_systems", args=["tone"])).context["systems"]
    assert [(one.output_count, one.missing_count) for one in page] == [(2, 1)]
    texts = Output.objects.order_by("sentence__number").values_list("text", flat=True)
    assert list(texts) == ["Hello, you.", "Goodbye."]


def test_a_run_of_a_family_says_so_beside_its_name(browser: Client, system: System) -> None:
    System.objects.update(family="Words dropped on purpose", seed=3)
    page = " ".join(browser.get(reverse("study_systems", args=["tone"])).content.decode().split())
    assert "<bdi>Words dropped on purpose</bdi>, seed 3</span>" in page


def test_a_fault_names_the_directions_file(browser: Client, study: Study) -> None:
    other = Direction.objects.create(study=study, number=2, source_style="formal", target_style="informal")
    other.sentences.create(number=1, text="Farewell.")
    files = [upload(b"Hello.\nAre you OK?\nGoodbye.\n"), upload(b"bye\nbye\n", "back.txt")]
    answer = send(browser, direction=[DIRECTION, other.name], file=files)
    assert answer.json()["detail"] == "back.txt: the file has 2 lines for 1 sources; lines without a source: 2."
    assert not System.objects.exists()


def test_a_taken_name_is_said(browser: Client, system: System) -> None:
    answer = send(browser, file=upload(b"a\nb\nc\n"))
    assert answer.json()["detail"] == "name: The study has a system 'Rules' already."
    assert System.objects.count() == 1


def test_the_page_of_a_system_shows_its_outputs(browser: Client, system: System) -> None:
    page = browser.get(reverse("system", args=["tone", system.pk])).content.decode()
    assert "Are you OK?" in page
    assert "3 outputs" in page


def test_what_goes_with_a_removal_has_the_form_of_its_number(browser: Client, study: Study, system: System) -> None:
    system.outputs.exclude(pk=system.outputs.order_by("pk").values("pk")[:1]).delete()
    page = " ".join(browser.get(reverse("system", args=["tone", system.pk])).content.decode().split())
    assert "Remove Rules and its 1 output? You can restore it" in page
    texts = " ".join(browser.get(reverse("study_texts", args=["tone"])).content.decode().split())
    assert "with its 3 sentences and everything made of them?" in texts


def test_a_system_that_nothing_stands_on_is_removed(browser: Client, system: System) -> None:
    assert remove(browser, system) == "Removed: Rules. You can restore it for 30 days."
    assert not Output.objects.exists()


def test_a_system_that_was_judged_stays(browser: Client, study: Study, system: System) -> None:
    criterion = Criterion.objects.create(study=study, number=1, name="fluency", scale="fluency_5")
    given = RatingsImport.objects.create(study=study, number=1, format="mturk", file_name="r.csv")
    Judgement.objects.create(
        ratings_import=given, sentence=Output.objects.first().sentence, criterion=criterion, text_key="hello.",
        worker="w", value=5,
    )  # fmt: skip
    assert remove(browser, system) == "Rules cannot be removed: its outputs were judged."
    assert Output.objects.count() == 3


def test_a_system_that_a_campaign_asks_about_stays(browser: Client, study: Study, system: System) -> None:
    campaign(study, "rate", name="Rate them")
    assert remove(browser, system) == "Rules cannot be removed: the campaign Rate them asks about its outputs."
    assert System.objects.exists()


def test_a_system_that_a_run_is_filling_stays(browser: Client, study: Study, researcher: Any) -> None:
    run = start_transfer(study=study, model="rule_based_formality", name="Rules", direction=None, by=researcher)
    assert "is still running; cancel it first" in remove(browser, run.system)
    assert System.objects.exists()


def test_a_system_that_is_being_scored_stays(browser: Client, study: Study, system: System, researcher: Any) -> None:
    run = start_metrics(study=study, by=researcher)
    assert "running report uses Rules" in remove(browser, system)
    cancel_job(job=run.job)
    assert remove(browser, system) == "Removed: Rules. You can restore it for 30 days."


def test_a_run_goes_with_its_system_and_comes_back_with_it(browser: Client, study: Study) -> None:
    run = start_transfer(study=study, model="rule_based_formality", name="Rules", direction=None, by=None)
    cancel_job(job=run.job)
    remove(browser, run.system)
    assert not Job.objects.filter(pk=run.job_id).exists()  # nothing is left that could be run again
    browser.post(reverse("removal_undo", args=[study.slug, study.removals.get().pk]))
    again = retry_job(job=run.job)
    run_job(again.pk, run_transfer)
    again.refresh_from_db()
    assert (again.state, again.error) == ("done", "")
    assert run.system.outputs.count() == 3


def test_references_that_a_campaign_shows_stay(browser: Client, study: Study, system: System) -> None:
    there = add_references(direction=study.directions.get(), texts=["Hello!", "OK?", "Goodbye!"], origin="ref0")
    settings = {"criteria": {"content": {"scale": "likert_5", "aspect": "content"}}}
    campaign(study, "rate", name="Rate them", settings=settings)
    answer = browser.post(reverse("references_remove", args=["tone", there.pk]), follow=True)
    assert (
        str(list(answer.context["messages"])[-1])
        == "These references cannot be removed: the campaign Rate them shows them."
    )
    assert ReferenceSet.objects.exists()


def test_other_studies_are_not_reached(browser: Client, system: System) -> None:
    browser.post(reverse("study_new"), {"title": "Other", "styles": "a, b", "slug": "other"})
    for name, method in (("system", browser.get), ("system_remove", browser.post)):
        assert method(reverse(name, args=["other", system.pk])).status_code == 404

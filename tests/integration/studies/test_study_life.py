"""A study as a whole: archived, deleted, duplicated; and titles that are not confused."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from factories.handles import handle
from support import campaigns as make
from support.clients import as_person, with_token

from accounts.models import AuditEntry
from accounts.permissions import Role
from annotation.actions.create_campaign import create_campaign
from annotation.actions.enter_crowd import enter_crowd
from annotation.actions.open_recruitment_link import open_recruitment_link
from annotation.actions.revise_guideline import revise_guideline
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Campaign
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.actions.set_archived import set_archived
from corpora.actions.start_import import start_import
from corpora.models import Removal, Study
from evaluation.actions.choose_metrics import choose_metrics
from foundation.errors import UserError
from jobs.models import Job
from studies.actions.duplicate_study import duplicate_study

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=3, systems=2, references=1)


@pytest.fixture
def lead(study):
    return make.person(Role.RESEARCHER, study)


@pytest.fixture
def browser(lead):
    return as_person(lead)


@pytest.fixture
def api(lead):
    return with_token(lead)


def told(answer):
    return [str(one) for one in answer.context["messages"]]


# archived


def test_nothing_changes_in_an_archived_study(study, browser, api):
    campaign = make.campaign(study)
    answer = browser.post(reverse("study_archive", args=[study.slug]), {"archived": "yes"}, follow=True)
    assert told(answer) == ["The study is archived: you can read it, but nothing in it changes."]
    assert browser.get(reverse("study_texts", args=[study.slug])).status_code == 200
    for name, form in (
        ("direction_new", {"source_style": "formal", "target_style": "informal"}), ("study_edit", {"title": "Other"}),
        ("sources_remove", {"numbers": "1"}),
    ):  # fmt: skip
        args = [study.slug, study.directions.get().number] if name == "sources_remove" else [study.slug]
        refused = browser.post(reverse(name, args=args), form, follow=True)
        assert "This study is archived" in told(refused)[0]
    refused = api.patch(f"/api/studies/{study.slug}/", {"title": "Other"}, content_type="application/json")
    assert (refused.status_code, "is archived" in refused.json()["detail"]) == (403, True)
    with pytest.raises(UserError, match="is archived"):  # commands and jobs pass no middleware
        add_sources(direction=study.directions.get(), texts=["more"])
    study.refresh_from_db()
    with pytest.raises(UserError, match="is archived"):
        revise_guideline(campaign=Campaign.objects.get(pk=campaign.pk), text="Other.", by=None)
    with pytest.raises(UserError, match="is archived"):
        start_import(study=study, file=None, format="plain_documents", by=None)
    assert (study.title.startswith("Texts"), study.directions.count(), campaign.items.count()) == (True, 1, 3)


def test_nobody_gets_work_in_an_archived_study(study):
    campaign = make.campaign(study)
    worker = make.person(study=study)
    held = make.claim(campaign, worker)
    set_archived(study=study, archived=True)
    campaign.refresh_from_db()
    for whom in (worker, make.person(study=study)):
        refused = make.claim(Campaign.objects.select_related("study").get(pk=campaign.pk), whom)
        assert (refused.work, refused.reason) == (None, Reason.ARCHIVED)
    page = as_person(worker)
    assert (
        "This study is archived"
        in told(page.get(reverse("campaign_work", args=[study.slug, campaign.slug]), follow=True))[0]
    )
    assert campaign.name not in page.get(reverse("my_work")).content.decode()
    form = {
        "slot": handle("slot", held.work.assignment, worker),
        "lease": str(held.work.lease),
        "key": "0" * 32,
        "text": "I see.",
    }
    page.post(reverse("campaign_submit", args=[study.slug, campaign.slug]), form)
    assert not Answer.objects.exists()
    set_archived(study=study, archived=False)
    fresh = Campaign.objects.select_related("study").get(pk=campaign.pk)
    assert make.claim(fresh, worker).work.assignment == held.work.assignment


def test_archived_studies_are_listed_apart(study, browser, api):
    set_archived(study=study, archived=True)
    assert study.title not in browser.get("/").content.decode()
    assert study.title in browser.get("/?archived=1").content.decode()
    assert api.get("/api/studies/").json()["count"] == 0
    assert api.get("/api/studies/?archived=true").json()["results"][0]["archived_at"]
    assert api.get("/api/studies/?archived=perhaps").status_code == 400
    answer = api.post(f"/api/studies/{study.slug}/archive/", {"archived": False}, content_type="application/json")
    assert answer.json() == {"archived": False}
    assert api.get("/api/studies/").json()["count"] == 1


def test_a_study_is_not_archived_while_a_job_runs(study, browser):
    from django.utils import timezone

    Job.objects.create(task="none", queue="gpu", title="A run", study_slug=study.slug, queued_at=timezone.now())
    answer = browser.post(reverse("study_archive", args=[study.slug]), {"archived": "yes"}, follow=True)
    assert told(answer) == ["The job “A run” is still running; wait for it, or cancel it first."]


# deleted


def test_a_study_is_deleted_by_its_title_and_undone_with_one_click(study, browser):
    page = browser.get(reverse("study_delete", args=[study.slug])).content.decode()
    assert "<dt>Outputs</dt><dd>6</dd>" in page
    wrong = browser.post(reverse("study_delete", args=[study.slug]), {"title": "Something"})
    assert wrong.status_code == 422
    assert "This is not the title of the study" in wrong.content.decode()
    done = browser.post(reverse("study_delete", args=[study.slug]), {"title": study.title}, follow=True)
    removal = Removal.objects.get()
    assert told(done) == [f"Removed: {study.title}. You can restore it for 30 days."]
    assert f'action="{reverse("study_undo", args=[removal.pk])}"' in done.content.decode()
    assert browser.get(reverse("study", args=[study.slug])).status_code == 404
    assert study.title in browser.get(reverse("removed_studies")).content.decode()
    back = browser.post(reverse("study_undo", args=[removal.pk]), follow=True)
    assert told(back) == [f"Restored: {study.title}."]
    assert Study.objects.get().systems.count() == 2
    assert [audit_entry.action for audit_entry in AuditEntry.objects.order_by("pk")][-2:] == [
        "delete_study",
        "undo_removal",
    ]


def test_nobody_else_puts_a_deleted_study_back(study, browser):
    browser.post(reverse("study_delete", args=[study.slug]), {"title": study.title})
    other, removal = make.person(Role.RESEARCHER), Removal.objects.get()
    assert told(as_person(other).post(reverse("study_undo", args=[removal.pk]), follow=True)) == [
        "This was already restored, or is gone for good."
    ]
    assert with_token(other).get("/api/removed-studies/").json()["count"] == 0
    assert with_token(other).post(f"/api/removed-studies/{removal.pk}/undo/").status_code == 404
    admin = with_token(make.person(Role.ADMIN))
    assert admin.post(f"/api/removed-studies/{removal.pk}/undo/").json()["study"] == study.slug


def test_the_api_counts_and_deletes(study, api):
    counts = api.get(f"/api/studies/{study.slug}/contents/").json()
    assert (counts["sentences"], counts["outputs"], counts["releases"]) == (3, 6, 0)
    assert api.delete(f"/api/studies/{study.slug}/?title=Wrong").status_code == 400
    assert api.delete(f"/api/studies/{study.slug}/?title={study.title}").status_code == 204
    listed = api.get("/api/removed-studies/").json()["results"]
    assert [one["name"] for one in listed] == [study.title]
    assert api.post(f"/api/removed-studies/{listed[0]['id']}/undo/").json() == {
        "restored": study.title,
        "study": study.slug,
    }


def test_what_pages_remove_is_undone_there_and_by_the_api(study, browser, api):
    direction, system = study.directions.get(), study.systems.first()
    browser.post(reverse("sources_remove", args=[study.slug, direction.number]), {"numbers": "2-3"})
    assert api.delete(f"/api/studies/{study.slug}/systems/{system.pk}/").status_code == 204
    page = browser.get(reverse("study_removed", args=[study.slug])).content.decode()
    assert "informal-formal 2-3" in page
    assert "Sentences: 2; References: 2; Outputs: 4" in page
    listed = api.get(f"/api/studies/{study.slug}/removed/").json()["results"]
    assert [one["kind"] for one in listed] == ["system", "sources"]
    assert listed[0]["removed_by"]
    for one in listed:
        assert api.post(f"/api/studies/{study.slug}/removed/{one['id']}/undo/").status_code == 200
    assert (direction.sentences.count(), study.systems.count(), system.outputs.count()) == (3, 2, 3)


@pytest.mark.parametrize(
    ("numbers", "said"),
    [
        ("", "Name the sources to remove by their numbers."),
        ("1-", "'1-' is neither a number nor a range; write 3, 7-20."),
        ("9", "informal-formal has no source 9."),
        ("3-1", "'3-1' is not a range from the lower to the higher number."),
    ],
)  # fmt: skip
def test_numbers_that_are_none(study, browser, numbers, said):
    direction = study.directions.get()
    answer = browser.post(
        reverse("sources_remove", args=[study.slug, direction.number]), {"numbers": numbers}, follow=True
    )
    assert told(answer) == [said]
    assert direction.sentences.count() == 3


# duplicated


def test_a_study_is_set_up_as_another_one(study, browser, lead):
    edit_study(study=study, terms="Be kind.", license="CC0", restricted=True)
    first = create_campaign(
        study=study, name="Rewriting", task_type="rewrite", direction=study.directions.get(), guideline="One.",
        overlap=2, needs_review=True, eligibility={"quota": 5}, reasons=["unclear"], by=lead,
    )  # fmt: skip
    revise_guideline(campaign=first, text="Two.", by=lead)
    create_campaign(study=study, name="Again", task_type="rewrite", after=first, by=lead)
    choose_metrics(study=study, metrics={"bleu": {"lowercase": True}})
    helper = make.person(Role.REVIEWER, study)
    answer = browser.post(
        reverse("study_duplicate", args=[study.slug]), {"title": "Second round", "members": "on"}, follow=True
    )
    assert "with the setup of the other one" in told(answer)[0]
    made = Study.objects.get(slug="second-round")
    assert (made.terms, made.terms_version, made.license, made.restricted) == ("Be kind.", 1, "CC0", True)
    assert [direction.name for direction in made.directions.all()] == ["informal-formal"]
    assert (made.systems.count(), made.directions.get().sentences.count()) == (0, 0)
    copy, second = made.campaigns.order_by("pk")
    assert (copy.overlap, copy.needs_review, copy.reasons) == (2, True, ["unclear"])
    assert copy.eligibility == first.eligibility == {"quota": 5}
    assert (copy.size, copy.state, copy.guidelines.get().text) == (0, "draft", "Two.")
    assert copy.direction == made.directions.get()
    assert second.after == copy
    assert made.metric_choices.get().settings["lowercase"] is True
    assert {membership.person for membership in made.memberships.all()} == {lead, helper}
    assert made.role_of(lead) == Role.RESEARCHER


def test_the_api_duplicates_without_members(study, api, lead):
    make.person(Role.REVIEWER, study)
    form = {"slug": "second", "title": "Second"}
    answer = api.post(f"/api/studies/{study.slug}/duplicate/", form, content_type="application/json")
    assert (answer.status_code, answer.json()["role"]) == (201, "researcher")
    assert [membership.person for membership in Study.objects.get(slug="second").memberships.all()] == [lead]


# titles


@pytest.mark.parametrize(
    "title",
    ["lay language", "Lay  Language ", "LAY-LANGUAGE", "Ｌay Language", "Lаy Lаnguаge", "Lay\u200b Language."],
)
def test_titles_are_not_confused(title):
    create_study(slug="one", title="Lay Language", styles=["a", "b"])
    with pytest.raises(UserError, match="A study is already called “Lay Language”, which is too similar"):
        create_study(slug="two", title=title, styles=["a", "b"])
    other = create_study(slug="three", title="Lay language 2", styles=["a", "b"])
    with pytest.raises(UserError, match="too similar"):
        edit_study(study=other, title=title)
    with pytest.raises(UserError, match="too similar"):
        duplicate_study(study=other, slug="four", title=title)
    assert Study.objects.count() == 2


def test_a_study_keeps_its_own_title_and_old_twins_are_left_alone():
    one = create_study(slug="one", title="Lay", styles=["a", "b"])
    two = create_study(slug="two", title="Other", styles=["a", "b"])
    Study.objects.filter(pk=two.pk).update(title="Lay")  # as two were before titles were looked at
    two.refresh_from_db()
    edit_study(study=two, title="Lay", license="CC0")
    edit_study(study=one, title=" Lay ")
    edit_study(study=two, title="Lay, second")
    assert edit_study(study=one, title="lay").title == "lay"  # its own, in other letters


def test_a_study_file_is_held_to_titles_too(tmp_path):
    create_study(slug="one", title="Lay", styles=["a", "b"])
    file = tmp_path / "study.toml"
    file.write_text('[study]\nslug = "two"\ntitle = "LAY"\nstyles = ["a", "b"]\n')
    with pytest.raises(CommandError, match="which is too similar"):
        call_command("apply_study", str(file))
    assert Study.objects.count() == 1


def test_a_crowd_gets_no_work_in_an_archived_study(study, lead):
    campaign = make.campaign(study)
    recruitment_link = open_recruitment_link(campaign=campaign, site="other", consent="Agree?", by=lead)
    entry = enter_crowd(recruitment_link=recruitment_link, external_id="A1", browser="b")
    set_archived(study=study, archived=True)
    fresh = Campaign.objects.select_related("study").get(pk=campaign.pk)
    assert make.claim(fresh, entry.participant.person).work is None


# what was on pages alone


def test_terms_are_read_and_accepted_by_the_api(study, api):
    edit_study(study=study, terms="Be kind.")
    assert api.get(f"/api/studies/{study.slug}/sentences/").status_code == 403
    assert api.get(f"/api/studies/{study.slug}/terms/").json() == {
        "terms": "Be kind.", "terms_version": 1, "required_credentials": [], "bar": "terms",
    }  # fmt: skip
    accepted = api.post(f"/api/studies/{study.slug}/terms/", {"version": 1}, content_type="application/json")
    assert accepted.json()["bar"] == ""
    assert api.get(f"/api/studies/{study.slug}/sentences/").status_code == 200


def test_own_languages_and_topics_by_the_api(api, lead):
    answer = api.patch("/api/me/", {"languages": ["en", "pt-BR"], "topics": ["heart"]}, content_type="application/json")
    assert (answer.status_code, answer.json()["languages"]) == (200, ["en", "pt-BR"])
    lead.refresh_from_db()
    assert (lead.languages, lead.topics) == (["en", "pt-BR"], ["heart"])
    assert api.get("/api/me/").json()["topics"] == ["heart"]


def test_a_preview_and_own_work_by_the_api(study, api):
    campaign = make.campaign(study, guideline="Write well.")
    base = f"/api/studies/{study.slug}/campaigns/{campaign.slug}"
    shown = api.get(f"{base}/preview/?item=2").json()
    assert (shown["number"], shown["size"], shown["guideline"]) == (2, 3, "Write well.")
    assert "gotta see number 2" in str(shown["item"])
    tried = api.post(f"{base}/preview/", {"item": 2, "content": {"text": "I see."}}, content_type="application/json")
    assert tried.json() == {"content": {"text": "I see."}}
    assert (
        api.post(f"{base}/preview/", {"item": 2, "content": {"text": ""}}, content_type="application/json").status_code
        == 400
    )
    assert not Answer.objects.exists()
    assert [one["campaign"] for one in api.get("/api/me/work/").json()] == [campaign.slug]

"""The researcher's pages of campaigns: stages, the form, expected answers, pace, and what an annotator lacks."""

import json
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make

from accounts.models import Credential
from accounts.permissions import Role
from annotation.actions.edit_campaign import edit_campaign
from annotation.annotator_pool import missing, records
from annotation.models import Answer, Campaign, CampaignMembership
from annotation.progress.counts import answers_by_version, progress_of
from annotation.progress.own_campaigns import campaigns_for
from annotation.progress.pace import answers_by_day, paces
from annotation.views.campaigns import chain_of, chains

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=4)


@pytest.fixture
def researcher(study, client):
    lead = make.person(Role.RESEARCHER, study)
    client.force_login(lead)
    return lead


def page(client, name, study, campaign=None, **query):
    address = reverse(name, args=[study.slug, *([campaign.slug] if campaign else [])])
    return client.get(address, query)


def queries_of(act):
    with CaptureQueriesContext(connection) as seen:
        act()
    return len(seen)


def form_of(**fields):
    plain = {
        "name": "Formal", "task_type": "rewrite", "overlap": "1", "roles": ["crowd_annotator"], "lease_minutes": "60",
        "seed": "1", "criteria-TOTAL_FORMS": "0", "criteria-INITIAL_FORMS": "0",
    }  # fmt: skip
    return {**plain, **fields}


def test_the_list_draws_the_stages_and_costs_the_same_for_many_campaigns(study, researcher, client):
    first = make.campaign(study, name="Write")
    check = make.campaign(study, "verify", name="Check", after=first, state="draft")
    make.campaign(study, "verify", name="Check again", after=check, takes="rejected", state="draft")
    make.campaign(study, name="Alone", state="draft")
    drawn = chains(list(study.campaigns.all()))
    assert [one.campaign.name for one in drawn] == ["Write", "Alone"]
    assert [one.campaign.name for one in drawn[0].after] == ["Check"]
    assert [one.campaign.name for one in drawn[0].after[0].after] == ["Check again"]
    assert {one.campaign.name for one in chain_of(check)} == {"Write"}
    said = page(client, "study_campaigns", study).content.decode()
    assert all(f">{name}</a>" in said for name in ("Write", "Check", "Check again", "Alone"))
    few = queries_of(lambda: page(client, "study_campaigns", study))
    for number in range(6):
        make.campaign(study, name=f"More {number}", state="draft")
    assert queries_of(lambda: page(client, "study_campaigns", study)) == few


def test_a_stage_whose_predecessor_is_not_shown_is_a_first_one(study):
    first = make.campaign(study, name="Write")
    second = make.campaign(study, "verify", name="Check", after=first, state="draft")
    assert [chain.campaign for chain in chains([second])] == [second]


def test_the_campaign_page_costs_the_same_for_many_people(study, researcher, client):
    campaign = make.campaign(study, overlap=4)
    workers = [make.person(study=study) for _ in range(4)]
    make.hand_in(campaign, workers[0], make.held(campaign, workers[0]))
    few = queries_of(lambda: page(client, "campaign", study, campaign))
    for worker in workers[1:]:
        make.hand_in(campaign, worker, make.held(campaign, worker))
    assert queries_of(lambda: page(client, "campaign", study, campaign)) == few
    assert few < 40


def test_the_pace_of_a_day_says_how_long_the_rest_takes(study):
    campaign, worker = make.campaign(study), make.person(study=study)
    now = timezone.now()
    assert paces({campaign: 4}, now)[campaign.pk].hours_left is None
    for hours in (4, 2):
        made = make.hand_in(campaign, worker, make.held(campaign, worker))
        Answer.objects.filter(pk=made.answer).update(submitted_at=now - timedelta(hours=hours))
    pace = paces({campaign: 2}, now)[campaign.pk]
    assert (pace.handed_in, pace.an_hour) == (2, pytest.approx(0.5))
    assert pace.hours_left == pytest.approx(4)
    Answer.objects.update(submitted_at=now - timedelta(hours=25))
    assert paces({campaign: 2}, now)[campaign.pk].hours_left is None


def test_the_days_of_the_chart_end_today_and_the_highest_bar_fills_it(study):
    campaign, worker = make.campaign(study), make.person(study=study)
    assert answers_by_day(campaign) == []
    made = [make.hand_in(campaign, worker, make.held(campaign, worker)) for _ in range(3)]
    today = timezone.localdate()
    Answer.objects.filter(pk=made[0].answer).update(submitted_at=timezone.now() - timedelta(days=3))
    bars = {bar.day: bar for bar in answers_by_day(campaign, today)}
    assert len(bars) == 14
    assert [bars[today].count, bars[today - timedelta(days=3)].count] == [2, 1]
    assert (bars[today].height, bars[today].y, bars[today - timedelta(days=3)].height) == (72, 0, 36)


def test_answers_are_counted_under_the_guideline_of_their_newest_revision(study, researcher, client):
    campaign, worker = make.campaign(study), make.person(study=study)
    make.hand_in(campaign, worker, make.held(campaign, worker))
    client.post(reverse("campaign_guideline", args=[study.slug, campaign.slug]), {"text": "Be brief."})
    campaign.refresh_from_db()
    make.hand_in(campaign, worker, make.held(campaign, worker))
    assert answers_by_version(campaign) == {1: 1, 2: 1}
    assert "1 answer given under it" in page(client, "campaign", study, campaign).content.decode()


def test_people_who_are_paused_stand_on_the_page_with_the_reason(study, researcher, client):
    campaign, worker = make.campaign(study), make.person(study=study, name="Ada")
    make.claim(campaign, worker)
    CampaignMembership.objects.filter(person=worker).update(
        state=CampaignMembership.State.PAUSED, reason="Three rejections in a row."
    )
    said = page(client, "campaign", study, campaign).content.decode()
    assert "1 person is paused." in said
    assert "Three rejections in a row." in said


def test_the_form_makes_a_stage_with_all_its_rules(study, researcher, client):
    make.campaign(study, name="Write")
    exam = make.campaign(study, name="Exam", purpose="qualification", state="draft")
    filled = form_of(**{
        "name": "Simplify", "after": "write", "takes": "accepted", "needs_review": "on",
        "reasons": "too long\n\nwrong \n",
        "currency": "eur", "per_item": "0.2", "crew-quota": "50", "crew-credentials": "md\nmimic-iii",
        "crew-qualification-campaign": exam.slug, "crew-qualification-pass_mark": "0.7",
        "crew-accepted-least": "101", "crew-accepted-of": ["write"], "crew-by_topic": "on",
        "settings-rewrite-given": "1", "settings-rewrite-max_length": "300",
    })  # fmt: skip
    made = client.post(reverse("campaign_new", args=[study.slug]), filled)
    assert made.status_code == 302, made.content.decode()
    campaign = Campaign.objects.get(slug="simplify")
    assert (campaign.after.slug, campaign.size, campaign.needs_review) == ("write", 0, True)
    assert campaign.reasons == ["too long", "wrong"]
    assert campaign.pay == {"currency": "EUR", "item": 0.2}
    assert (campaign.settings["max_length"], campaign.settings["allow_unchanged"]) == (300, False)
    assert campaign.eligibility == {
        "accepted": {"least": 101, "of": ["write"]}, "by_topic": True, "credentials": ["md", "mimic-iii"],
        "qualification": {"campaign": "exam", "pass_mark": 0.7, "tries": 1}, "quota": 50,
    }  # fmt: skip


def test_settings_that_the_page_did_not_hold_keep_their_defaults(study, researcher, client):
    client.post(reverse("campaign_new", args=[study.slug]), form_of())
    settings = Campaign.objects.get().settings
    assert (settings["max_length"], settings["allow_unchanged"]) == (2000, True)


def test_what_an_action_refuses_stands_beside_its_field(study, researcher, client):
    wrong = {"settings-rewrite-given": "1", "settings-rewrite-max_length": "0", "crew-acceptance_rate-least": "0.5"}
    answer = client.post(reverse("campaign_new", args=[study.slug]), form_of(**wrong))
    assert answer.status_code == 422
    form = answer.context["form"]
    assert "from 1 to 100,000" in form.kinds["rewrite"].errors["max_length"][0]
    assert {name for name, opened in form.opened.items() if opened} == {"kind"}
    assert not Campaign.objects.exists()


def test_editing_sends_only_what_changed_and_keeps_the_rest(study, researcher, client):
    campaign = make.campaign(study, eligibility={"quota": 3}, pay={"currency": "EUR", "item": 0.5}, reasons=["wrong"])
    address = reverse("campaign_edit", args=[study.slug, campaign.slug])
    shown = client.get(address).context["form"]
    assert "task_type" not in shown.fields
    assert shown.kinds == {}
    filled = {
        "name": "Renamed", "lease_minutes": "60", "roles": campaign.roles, "reasons": "wrong", "control_every": "0",
        "currency": "EUR", "per_item": "0.5", "crew-quota": "", "crew-per_day": "20",
    }  # fmt: skip
    assert client.post(address, filled).status_code == 302
    campaign.refresh_from_db()
    assert (campaign.name, campaign.eligibility, campaign.reasons) == ("Renamed", {"per_day": 20}, ["wrong"])
    assert campaign.pay == {"currency": "EUR", "item": 0.5}


def test_an_expected_answer_is_kept_through_the_preview_and_taken_away(study, researcher, client):
    training = make.campaign(study, name="Training", purpose="training", state="draft")
    listed = page(client, "campaign_expected", study, training)
    assert (listed.context["lacking"], listed.context["kept"]) == (4, 0)
    preview = page(client, "campaign_preview", study, training, item="1", expect="1").content.decode()
    assert "Save as the expected answer" in preview
    address = reverse("campaign_expect", args=[study.slug, training.slug, 1])
    refused = client.post(address, {"slot": "1", "text": ""})
    assert refused.status_code == 422
    kept = client.post(address, {"slot": "1", "text": "I must see number one."})
    assert kept.url.endswith("?item=2&expect=1")
    assert training.items.get(number=1).expected == {"text": "I must see number one."}
    again = page(client, "campaign_preview", study, training, item="1", expect="1").content.decode()
    assert "I must see number one." in again
    assert "I must see number one." not in page(client, "campaign_preview", study, training, item="1").content.decode()
    assert client.post(address, {"act": "remove"}).status_code == 302
    assert training.items.get(number=1).expected is None


def test_htmx_goes_on_to_the_next_item_that_lacks_one(study, researcher, client):
    training = make.campaign(study, name="Training", purpose="training", state="draft")
    address = reverse("campaign_expect", args=[study.slug, training.slug, 4])
    kept = client.post(address, {"slot": "4", "text": "Four."}, headers={"HX-Request": "true"})
    assert kept.headers["HX-Redirect"].endswith("?item=1&expect=1")


def test_a_reviewer_sees_no_expected_answer_in_the_preview(study, client):
    training = make.campaign(study, name="Training", purpose="training", state="draft")
    training.items.filter(number=1).update(expected={"text": "A secret."})
    client.force_login(make.person(Role.REVIEWER, study))
    said = page(client, "campaign_preview", study, training, item="1", expect="1").content.decode()
    assert "A secret." not in said
    assert "Save as the expected answer" not in said


def test_a_planned_campaign_gets_its_items_by_a_button(study, researcher, client):
    campaign = make.campaign(study, planned=True, state="draft")
    assert "Create the items now" in page(client, "campaign", study, campaign).content.decode()
    client.post(reverse("campaign_build", args=[study.slug, campaign.slug]))
    campaign.refresh_from_db()
    assert (campaign.size, progress_of(campaign).total) == (4, 4)


def test_my_work_says_what_somebody_lacks_in_a_bounded_number_of_queries(study, client):
    worker = make.person(study=study)
    make.campaign(study, name="Open to all")
    make.campaign(study, name="Doctors", eligibility={"credentials": ["md"]})
    client.force_login(worker)
    said = client.get(reverse("my_work")).content.decode()
    assert said.count('class="unmet"') == 1
    assert "nobody has verified for you: md" in said
    few = queries_of(lambda: campaigns_for(worker))
    for number in range(5):
        make.campaign(study, name=f"More {number}", eligibility={"quota": 3})
    assert queries_of(lambda: campaigns_for(worker)) == few
    Credential.objects.create(person=worker, name="md", verified_at=timezone.now())
    assert 'class="unmet"' not in client.get(reverse("my_work")).content.decode()


def test_a_record_counts_verdicts_by_campaign_and_credentials_in_force(study):
    worker = make.person(study=study, languages=["en"], topics=["asthma"])
    first, second = make.campaign(study, name="First"), make.campaign(study, name="Second")
    make.claim(first, worker)
    CampaignMembership.objects.filter(campaign=first).update(
        accepted=7, rejected=1, done=9, day=timezone.localdate(), today=2
    )
    today = timezone.localdate()
    Credential.objects.create(person=worker, name="md", verified_at=timezone.now(), expires_on=today)
    Credential.objects.create(
        person=worker, name="rn", verified_at=timezone.now(), expires_on=today - timedelta(days=1)
    )
    Credential.objects.create(person=worker, name="phd")
    known = records([first, second], worker)
    assert known[second.pk].counted([]) == (7, 1)
    assert (known[first.pk].done, known[first.pk].today, known[second.pk].done) == (9, 2, 0)
    assert known[first.pk].credentials == {"md"}
    edit_campaign(campaign=second, by=None, eligibility={"accepted": 8})
    assert "you have 7" in missing([first, second], worker)[second.pk][0]


def test_the_api_changes_a_campaign_shows_its_progress_and_keeps_expected_answers(study, researcher, client):
    training = make.campaign(study, name="Training", purpose="training", state="draft")
    base = f"/api/studies/{study.slug}/campaigns/"
    as_json = {"content_type": "application/json"}
    made = client.post(base, json.dumps({
        "name": "Stage", "task_type": "verify", "after": "training-2", "eligibility": {"quota": 5}, "pay": {"item": 1},
    }), **as_json)  # fmt: skip
    assert made.status_code == 400
    assert made.json()["detail"] == "after: The study has no campaign 'training-2'."
    changed = client.patch(
        f"{base}{training.slug}/", json.dumps({"eligibility": {"quota": 5}, "reasons": ["long"]}), **as_json
    )
    assert (changed.status_code, changed.json()["eligibility"], changed.json()["reasons"]) == (
        200,
        {"quota": 5},
        ["long"],
    )
    assert changed.json()["lease_minutes"] == 60
    put = client.put(f"{base}{training.slug}/expected/2/", json.dumps({"content": {"text": "Two."}}), **as_json)
    assert (put.status_code, put.json()["expected"]) == (200, {"text": "Two."})
    assert [one["expected"] for one in client.get(f"{base}{training.slug}/expected/").json()["results"]][:2] == [
        None, {"text": "Two."},
    ]  # fmt: skip
    progress = client.get(f"{base}{training.slug}/progress/").json()
    assert (progress["expected_kept"], progress["expected_lacking"]) == (1, 3)
    assert client.delete(f"{base}{training.slug}/expected/2/").status_code == 204
    assert training.items.get(number=2).expected is None


def test_an_empty_guideline_is_asked_about_before_people_begin(study, researcher, client):
    empty = make.campaign(study, name="Empty", state="draft")
    asked = "The guideline is empty, so people will not know what to do. Start all the same?"
    assert page(client, "campaign", study, empty).content.decode().count(asked) == 2  # the pilot, and opening
    told = make.campaign(study, name="Told", state="draft", guideline="Be brief.")
    assert asked not in page(client, "campaign", study, told).content.decode()


def test_two_versions_of_a_guideline_stand_side_by_side(study, researcher, client):
    campaign = make.campaign(study, guideline="Be kind to **all** readers.")
    assert "Compare versions" not in page(client, "campaign", study, campaign).content.decode()
    for text in ("Be brief to **all** readers.", "Be brief."):
        client.post(reverse("campaign_guideline", args=[study.slug, campaign.slug]), {"text": text})
    address = reverse("campaign", args=[study.slug, campaign.slug])
    both = client.get(address, {"older": "1", "newer": "2"}).content.decode()
    assert 'Be <del dir="auto">kind</del> to **all** readers.' in both
    assert 'Be <ins dir="auto">brief</ins> to **all** readers.' in both
    assert "<del" not in client.get(address).content.decode()
    newest = client.get(address, {"older": "x"}).content.decode()  # of no such version: the newest two
    assert '<del dir="auto"> to **all** readers</del>' in newest


def test_an_example_is_taken_from_the_texts_and_nothing_is_saved(researcher, client):
    study = make.study(items=2, systems=2, references=1)
    client.force_login(make.person("researcher", study))
    campaign = make.campaign(study, state="draft")
    for name, address in (("new", reverse("campaign_new", args=[study.slug])),
                          ("edit", reverse("campaign_edit", args=[study.slug, campaign.slug]))):  # fmt: skip
        rows = {"examples-TOTAL_FORMS": "1", "examples-INITIAL_FORMS": "0", "examples-0-good": "Mine.", "name": ""}
        answer = client.post(address, {**rows, "take_example": "1"})
        assert answer.status_code == 200, name
        examples = [{key: row[key].value() for key in ("good", "bad")} for row in answer.context["form"].examples]
        assert examples[:2] == [
            {"good": "Mine.", "bad": None},
            {"good": "Reference 0 of sentence 1.", "bad": "You should see 1 in manner 1."},
        ]
        rows |= {"examples-TOTAL_FORMS": "2", "examples-1-good": "Reference 0 of sentence 1."}
        again = client.post(address, {**rows, "take_example": "1"}).context["form"].examples
        assert [row["good"].value() for row in again][2] == "Reference 0 of sentence 2."
    assert study.campaigns.count() == 1
    campaign.refresh_from_db()
    assert campaign.examples == []

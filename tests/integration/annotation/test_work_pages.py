"""The pages of campaigns through the whole stack of middleware."""

import re
from uuid import uuid4

import pytest
from django.urls import reverse
from factories.handles import handle
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Answer, Campaign, Draft

pytestmark = pytest.mark.django_db
HTMX = {"HTTP_HX_REQUEST": "true"}
HIDDEN = re.compile(r'name="(slot|lease|key|guideline)" value="([^"]+)"')


@pytest.fixture
def study():
    return make.study(items=3, systems=3, references=1)


@pytest.fixture
def annotator(study, client):
    who = make.person(study=study)
    client.force_login(who)
    return who


@pytest.fixture
def researcher(study, client):
    who = make.person(Role.RESEARCHER, study)
    client.force_login(who)
    return who


def address(campaign, name="campaign_work", *more):
    return reverse(name, args=[campaign.study.slug, campaign.slug, *more])


def hidden(response):
    return dict(HIDDEN.findall(response.content.decode()))


def test_submitting_brings_the_next_item_in_the_same_round_trip(study, annotator, client):
    campaign = make.campaign(study)
    page = client.get(address(campaign))
    assert "gotta see number 1 , u know" in page.content.decode()
    make.time_passes(10)
    answer = client.post(
        address(campaign, "campaign_submit"), {**hidden(page), "text": "I must see it.", "seconds": "4.5"}, **HTMX
    )
    assert answer.status_code == 200
    text = answer.content.decode()
    assert text.lstrip().startswith('<section id="work"')
    assert "gotta see number 2 , u know" in text
    stored = Answer.objects.get()
    assert (stored.content, stored.seconds) == ({"text": "I must see it."}, 4.5)


def test_without_javascript_the_form_leads_back_to_the_page(study, annotator, client):
    campaign = make.campaign(study)
    page = client.get(address(campaign))
    answer = client.post(address(campaign, "campaign_submit"), {**hidden(page), "text": "I must see it."})
    assert (answer.status_code, answer.url) == (302, address(campaign))
    refused = client.post(address(campaign, "campaign_submit"), {**hidden(client.get(address(campaign))), "text": ""})
    assert refused.status_code == 422
    assert "The rewrite is empty." in refused.content.decode()
    assert "<html" in refused.content.decode()


def test_who_types_while_the_campaign_closes_reads_that_it_closed(study, annotator, client):
    campaign = make.campaign(study)
    page = client.get(address(campaign))
    set_campaign_state(campaign=campaign, state="closed", by=None)
    answer = client.post(address(campaign, "campaign_submit"), {**hidden(page), "text": "I must see it."}, **HTMX)
    assert "The campaign was closed before your answer came. A reviewer gets your work." in answer.content.decode()
    assert Answer.objects.get().late


def test_an_error_keeps_what_was_typed(study, annotator, client):
    campaign = make.campaign(study)
    fields = hidden(client.get(address(campaign)))
    answer = client.post(address(campaign, "campaign_submit"), {**fields, "text": "one line\nand another"}, **HTMX)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "remove the line breaks" in text
    assert "one line" in text
    assert hidden(answer)["lease"] == fields["lease"]


def test_a_form_that_is_out_of_date_is_a_sentence(study, annotator, client):
    campaign = make.campaign(study)
    for broken in ({}, {"slot": "x"}, {"slot": "1", "lease": "x"}, {"slot": "9" * 30, "lease": str(uuid4())}):
        answer = client.post(address(campaign, "campaign_submit"), broken, **HTMX)
        assert answer.status_code == 422
        assert "reload" in answer.content.decode()


def test_skip_and_report_bring_the_next_item(study, annotator, client):
    campaign = make.campaign(study)
    second = client.post(address(campaign, "campaign_skip"), hidden(client.get(address(campaign))), **HTMX)
    assert "number 2 ," in second.content.decode()
    third = client.post(address(campaign, "campaign_report"), {**hidden(second), "kind": "personal_data"}, **HTMX)
    assert "number 3 ," in third.content.decode()
    assert list(Answer.objects.order_by("pk").values_list("outcome", flat=True)) == ["skipped", "reported"]
    missing = client.post(address(campaign, "campaign_report"), hidden(third), **HTMX)
    assert missing.status_code == 422


def test_a_draft_is_saved_and_shown_again(study, annotator, client):
    campaign = make.campaign(study)
    fields = hidden(client.get(address(campaign)))
    saved = client.post(address(campaign, "campaign_draft"), {**fields, "version": "2", "text": "half a sen"})
    assert saved.status_code == 200
    assert saved.json()["version"] == 2
    assert set(saved.json()["readability"]) == {"before", "after"}
    older = client.post(address(campaign, "campaign_draft"), {**fields, "version": "1", "text": "half"})
    assert (older.status_code, older.json()["version"]) == (409, 2)
    assert "half a sen" in client.get(address(campaign)).content.decode()
    assert Draft.objects.get().content == {"text": "half a sen"}


@pytest.mark.parametrize("task_type", ["rate", "rank", "best_worst"])
def test_no_response_to_an_annotator_tells_a_system(study, annotator, client, task_type):
    campaign = make.campaign(study, task_type)
    response = client.get(address(campaign))
    seen = [response.content.decode()]
    while assignments := hidden(response):
        names = sorted(set(re.findall(r'name="((?:rating|rank)-[^"]+)"', seen[-1])))
        said = {**dict.fromkeys(names, "1"), "best": "1", "worst": "2"}
        response = client.post(address(campaign, "campaign_submit"), {**assignments, **said}, **HTMX)
        assert response.status_code == 200
        seen.append(response.content.decode())
    assert len(seen) == 4
    seen.append(client.get(address(campaign, "campaign_answers")).content.decode())
    for name in make.SYSTEMS:
        assert not any(name in text for text in seen)
    assert Answer.objects.count() == 3


def test_the_preview_is_the_annotators_page_and_stores_nothing(study, researcher, client):
    campaign = make.campaign(study, "rank", state="draft")
    page = client.get(address(campaign, "campaign_preview"))
    assert "Preview: nothing is stored" in page.content.decode()
    ranks = {"rank-0": "1", "rank-1": "2", "rank-2": "2"}
    act = address(campaign, "campaign_preview_act", "submit")
    missing = client.post(act, hidden(page), **HTMX)
    assert missing.status_code == 422
    following = client.post(act, {**hidden(page), **ranks}, **HTMX)
    assert hidden(following)["slot"] == "2"
    assert not Answer.objects.exists()
    assert not campaign.assignments.exclude(state=0).exists()


def test_a_campaign_is_made_opened_and_given_a_guideline_in_the_browser(study, researcher, client):
    form = {
        "name": "Formality", "task_type": "rate", "overlap": "2", "roles": ["crowd_annotator"], "lease_minutes": "30",
        "seed": "7", "settings-rate-outputs_per_item": "1", "guideline": "Be fair.",
        "criteria-TOTAL_FORMS": "4", "criteria-INITIAL_FORMS": "0",
        "criteria-0-name": "formality", "criteria-0-scale": "formality_7", "criteria-0-beside": "nothing",
        "criteria-1-name": "meaning", "criteria-1-scale": "meaning_6", "criteria-1-beside": "source",
        "criteria-2-name": "kept", "criteria-2-scale": "content_5", "criteria-2-beside": "",
        "criteria-3-name": "overall", "criteria-3-scale": "slider_100", "criteria-3-aspect": "overall",
    }  # fmt: skip
    made = client.post(reverse("campaign_new", args=[study.slug]), form)
    assert made.status_code == 302, made.content.decode()
    campaign = Campaign.objects.get()
    assert (campaign.size, campaign.overlap, campaign.seed) == (9, 2, 7)
    assert [(one["name"], one["beside"]) for one in campaign.settings["criteria"]] == [
        ("formality", "nothing"), ("meaning", "source"), ("overall", "source"), ("kept", "source_and_reference"),
    ]  # fmt: skip
    client.post(address(campaign, "campaign_state"), {"state": "open"})
    client.post(address(campaign, "campaign_guideline"), {"text": "Be fairer."})
    campaign.refresh_from_db()
    assert (campaign.state, campaign.guideline_version) == ("open", 2)
    wrong = client.post(address(campaign, "campaign_state"), {"state": "draft"})
    assert wrong.status_code == 422
    page = client.get(made.url)
    assert "Be fairer." in page.content.decode()


def test_best_and_worst_is_offered_and_made_in_the_browser(study, researcher, client):
    address_of_new = reverse("campaign_new", args=[study.slug])
    page = client.get(address_of_new).content.decode()
    assert 'value="best_worst"' in page
    for scale in ("content_5", "similarity_3", "slider_100"):
        assert f'<option value="{scale}">' in page
    form = {
        "name": "Extremes", "task_type": "best_worst", "overlap": "2", "roles": ["crowd_annotator"],
        "lease_minutes": "30", "seed": "7", "settings-best_worst-given": "1",
        "settings-best_worst-question": "Which reads best?", "settings-best_worst-beside": "nothing",
        "settings-best_worst-outputs_per_item": "1", "criteria-TOTAL_FORMS": "0", "criteria-INITIAL_FORMS": "0",
    }  # fmt: skip
    wrong = client.post(address_of_new, form)
    assert wrong.status_code == 422
    assert "An item has at least 2 texts" in wrong.content.decode()
    assert client.post(address_of_new, {**form, "settings-best_worst-outputs_per_item": "2"}).status_code == 302
    made = Campaign.objects.get()
    assert (made.settings["outputs_per_item"], made.size) == (2, 3)  # of three texts none is left alone


def test_a_form_with_a_mistake_keeps_its_values(study, researcher, client):
    wrong = client.post(reverse("campaign_new", args=[study.slug]), {"name": "x", "task_type": "juggle"})
    assert wrong.status_code == 422
    assert not Campaign.objects.exists()


def test_a_reviewer_decides_on_the_review_page(study, client):
    campaign, who = make.campaign(study), make.person(study=study)
    make.hand_in(campaign, who, make.held(campaign, who))
    client.force_login(make.person(Role.REVIEWER, study))
    assert "Nothing here" in client.get(address(campaign, "campaign_review")).content.decode()
    shown = client.get(address(campaign, "campaign_review") + "?show=answers").content.decode()
    assert ">gotta" in shown
    answer = Answer.objects.get()
    client.post(address(campaign, "campaign_decide", answer.pk), {"verdict": "rejected", "comment": "no"})
    assert [(review.verdict, review.comment) for review in answer.reviews.all()] == [("rejected", "no")]
    assert "Rejected" in client.get(address(campaign, "campaign_review") + "?show=decided").content.decode()


def test_an_annotator_changes_an_earlier_answer(study, annotator, client):
    campaign = make.campaign(study)
    make.hand_in(campaign, annotator, make.held(campaign, annotator))
    answer = Answer.objects.get()
    assert "I have to see number 1." in client.get(address(campaign, "campaign_answers")).content.decode()
    own = address(campaign, "campaign_revise", handle("answer", answer.pk, annotator))
    page = client.get(own)
    changed = client.post(own, {**hidden(page), "text": "I have to see number one."})
    assert changed.status_code == 302
    assert Answer.objects.latest("revision").content == {"text": "I have to see number one."}
    stranger = make.person(study=study)
    client.force_login(stranger)
    assert client.get(own).status_code == 404
    theirs = address(campaign, "campaign_revise", handle("answer", answer.pk, stranger))
    assert client.get(theirs).status_code == 404


def test_my_work_lists_the_campaigns_that_take_work_from_me(study, annotator, client):
    make.campaign(study, name="Open to me")
    make.campaign(study, name="For experts", roles=[Role.EXPERT_ANNOTATOR])
    make.campaign(study, name="A draft", state="draft")
    text = client.get(reverse("my_work")).content.decode()
    assert "Open to me" in text
    assert "For experts" not in text
    assert "A draft" not in text


def test_a_new_guideline_reloads_the_page_that_shows_the_old_one(study, annotator, client):
    campaign = make.campaign(study)
    fields = hidden(client.get(address(campaign)))
    from annotation.actions.revise_guideline import revise_guideline

    revise_guideline(campaign=campaign, text="Newer.", by=None)
    answer = client.post(address(campaign, "campaign_submit"), {**fields, "text": "I must see it."}, **HTMX)
    assert answer["HX-Refresh"] == "true"
    assert "Newer." in client.get(address(campaign)).content.decode()


def test_there_is_no_work_in_a_campaign_that_is_not_there(study, annotator, client):
    assert client.get(reverse("campaign_work", args=[study.slug, "nothing"])).status_code == 404


def test_a_submission_over_the_web_costs_eight_statements(study, annotator, client, django_assert_num_queries):
    campaign = make.campaign(study)
    fields = hidden(client.get(address(campaign)))
    # The person, the study with their role; BEGIN, lock, look, write, take, COMMIT.
    with django_assert_num_queries(8):
        client.post(address(campaign, "campaign_submit"), {**fields, "text": "I must see it."}, **HTMX)


def test_what_comes_after_an_answer_says_the_language_of_its_texts(study, annotator, client):
    first = make.campaign(study)
    writer = make.person(study=study)
    for _ in range(3):
        make.hand_in(first, writer, make.held(first, writer))
    type(study).objects.filter(pk=study.pk).update(language="ar")
    second = make.campaign(study, "verify", after=first)
    passed_by = client.post(address(second, "campaign_skip"), hidden(client.get(address(second))), **HTMX)
    fragment = passed_by.content.decode()
    assert 'lang="ar"' in fragment
    assert 'lang=""' not in fragment

"""*My work*: what needs the person first, where they go on, whom they ask; and who lands on it."""

from decimal import Decimal

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import with_token

from accounts.permissions import Role
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.models import Answer
from annotation.progress.own_campaigns import campaigns_for, day_of, ended_for, reviews_for, to_go_on, whom_to_ask
from corpora.actions.set_archived import set_archived
from corpora.models import Membership

pytestmark = pytest.mark.django_db
REJECTED = {"verdict": "rejected", "reason": "", "comment": "Too long."}


@pytest.fixture
def study():
    return make.study(items=2)


@pytest.fixture
def person(study):
    return make.person(study=study)


def training(study):
    made = make.campaign(study, name="A training", purpose="training", state="draft")
    for item in made.items.all():
        set_expected(item=item, content={"text": "Expected."}, by=None)
    return set_campaign_state(campaign=made, state="open", by=None)


def do(campaign, who):
    return Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who)).answer)


def shown(client, who):
    client.force_login(who)
    return client.get(reverse("my_work")).content.decode()


def test_what_needs_the_person_comes_first(study, person):
    done = make.campaign(study, name="All done")
    for _ in range(2):
        do(done, person)
    make.campaign(study, name="For doctors", eligibility={"credentials": ["md"]})
    make.campaign(study, name="Ordinary")
    training(study)
    revise = make.campaign(study, name="To revise")
    review_answer(answer=do(revise, person), by=make.person(Role.REVIEWER, study), **REJECTED)
    rows = [(row["campaign"].name, row["need"]) for row in campaigns_for(person)]
    assert rows == [
        ("To revise", "revise"), ("A training", "prepare"), ("Ordinary", "work"), ("For doctors", "locked"),
        ("All done", "done"),
    ]  # fmt: skip


def test_one_goes_on_with_what_was_last_worked_on_and_can_be(study, person):
    first, second = make.campaign(study, name="First"), make.campaign(study, name="Second")
    assert to_go_on(campaigns_for(person))["campaign"] == first
    do(first, person)
    make.time_passes(60)
    do(second, person)
    assert to_go_on(campaigns_for(person))["campaign"] == second
    make.time_passes(60)
    do(second, person)  # its last item
    assert to_go_on(campaigns_for(person))["campaign"] == first
    do(first, person)
    assert to_go_on(campaigns_for(person)) is None


def test_the_page_has_one_button_for_it_and_a_summary_of_the_day(study, person, client):
    campaign = make.campaign(study, name="First")
    page = shown(client, person)
    assert "You have submitted nothing today yet." in page
    assert page.count("button primary go-on") == 1
    make.hand_in(campaign, person, make.held(campaign, person), seconds=600)
    assert day_of(person).items == 1
    said = " ".join(shown(client, person).split())
    assert "1 item today · about 10 minutes of work" in said


@pytest.mark.parametrize("state", ["closed", "paused", "archived"])
def test_what_ended_stands_below_with_what_is_due(study, person, client, state):
    paid = make.campaign(study, name="Paid", pay={"currency": "EUR", "item": 0.5})
    do(paid, person)
    untouched = make.campaign(study, name="Untouched")
    make.claim(untouched, person)
    for campaign in (paid, untouched):
        if state != "archived":
            set_campaign_state(campaign=campaign, state=state, by=None)
    if state == "archived":
        set_archived(study=study, archived=True)
    assert campaigns_for(person) == []
    (row,) = ended_for(person)
    assert (row["campaign"], row["done"], row["progress"].due) == (paid, 1, Decimal("0.50"))
    page = " ".join(shown(client, person).split())
    assert "Campaigns that no longer take work" in page
    assert "0.50 EUR due" in page
    assert reverse("campaign_answers", args=[study.slug, paid.slug]) in page
    assert "Untouched" not in page
    api = with_token(person)
    assert api.get("/api/me/work/").json() == []
    (told,) = api.get("/api/me/work/?ended=true").json()
    assert (told["campaign"], told["due"], told["left"]) == (paid.slug, "0.50", None)
    assert ended_for(make.person(study=study)) == []


def test_a_reviewer_sees_the_answers_that_wait_for_them(study, person, client):
    campaign = make.campaign(study, name="Reviewed", needs_review=True, roles=[Role.CROWD_ANNOTATOR])
    do(campaign, person)
    reviewer = make.person(Role.REVIEWER, study)
    assert [(row["campaign"], row["waiting"]) for row in reviews_for(reviewer)] == [(campaign, 1)]
    page = shown(client, reviewer)
    assert reverse("campaign_review", args=[study.slug, campaign.slug]) in page
    assert "1 answer waits for a review" in page
    assert reviews_for(person) == []
    assert reviews_for(make.person(Role.REVIEWER)) == []


def test_without_work_it_says_whom_to_ask(study, person, client):
    lead = make.person(Role.RESEARCHER, study, name="Ada Lead")
    make.person(Role.RESEARCHER, make.study(items=1), name="Somebody Else")
    assert whom_to_ask(person) == ["Ada Lead"]
    assert "Ada Lead" in shown(client, person)
    assert "Ask the person who invited you" in shown(client, make.person())
    person.email = "a@crowd.invalid"
    person.save()
    page = shown(client, person)
    assert "through the site that you came from" in page
    assert str(lead) not in page


@pytest.mark.parametrize(
    ("site", "in_study", "lands"),
    [
        (Role.CROWD_ANNOTATOR, Role.CROWD_ANNOTATOR, True),
        (Role.EXPERT_ANNOTATOR, None, True),
        (Role.REVIEWER, Role.EXPERT_ANNOTATOR, True),
        (Role.REVIEWER, None, False),
        (Role.EXPERT_ANNOTATOR, Role.REVIEWER, False),
        (Role.RESEARCHER, Role.EXPERT_ANNOTATOR, False),
        (Role.ADMIN, None, False),
    ],
)
def test_who_only_annotates_lands_on_their_work(study, client, site, in_study, lands):
    who = make.person(site)
    if in_study:
        Membership.objects.create(study=study, person=who, role=in_study)
    form = {"login": who.email, "password": make.PASSWORD}
    page = client.post(reverse("account_login"), form, follow=True)
    assert page.request["PATH_INFO"] == (reverse("my_work") if lands else reverse("home"))


def test_a_place_that_was_asked_for_before_signing_in_comes_first(study, person, client):
    campaign = make.campaign(study)
    work = reverse("campaign_work", args=[study.slug, campaign.slug])
    form = {"login": person.email, "password": make.PASSWORD, "next": work}
    assert client.post(reverse("account_login"), form)["Location"] == work


def test_their_header_has_work_and_nothing_of_the_research(study, person, client):
    campaign = make.campaign(study)
    client.force_login(person)
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    header = page[page.index("<header") : page.index("</header>")]
    assert f'href="{reverse("my_work")}"' in header
    for name in ("study", "study_campaigns", "study_report"):
        assert f'href="{reverse(name, args=[study.slug])}"' not in header
    client.force_login(make.person(Role.RESEARCHER, study))
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    assert f'href="{reverse("study_campaigns", args=[study.slug])}"' in page


def test_the_page_asks_as_much_for_many_campaigns_as_for_one(study, person, client, django_assert_max_num_queries):
    for number in range(6):
        make.campaign(study, name=f"Campaign {number}", eligibility={"quota": 3})
    client.force_login(person)
    with django_assert_max_num_queries(17):
        client.get(reverse("my_work"))

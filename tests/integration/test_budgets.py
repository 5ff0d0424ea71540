"""Hot pages stay within their budgets (`tests/budgets.toml`), and an answer costs what it cost at the beginning."""

import re
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse
from support import campaigns as make
from support.clients import with_token
from support.framed_items import Frames
from support.request_costs import BUDGETS, cost_of, explained, over_budget

from accounts.permissions import Role
from annotation.models import CampaignMembership
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report

pytestmark = pytest.mark.django_db
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(r'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')
HTMX = {"HX-Request": "true"}
ANSWERS = 5_000
# The person did as much as that: the answers, the assignments that they fill, and what was counted.
LONG_DAY = """
WITH filled AS (
    UPDATE annotation_assignment SET state = 2, annotator_id = %(person)s, leased_at = now()
    WHERE id IN (SELECT id FROM annotation_assignment WHERE campaign_id = %(campaign)s AND state = 0 AND number = 1
                 ORDER BY position LIMIT %(answers)s)
    RETURNING id, item_id, campaign_id, position, "order"
), answered AS (
    INSERT INTO annotation_answer (campaign_id, item_id, slot_id, person_id, pilot, "order", revision, outcome, late,
                                   content, guideline_version, seconds, key, submitted_at)
    SELECT campaign_id, item_id, id, %(person)s, false, "order", 1, 'answered', false, '{"ratings": [{}]}', 1,
           10, gen_random_uuid(), now() - make_interval(secs => position)
    FROM filled
)
UPDATE annotation_campaignmembership SET done = done + %(answers)s, today = today + %(answers)s,
       position = reached.position
FROM (SELECT max(position) AS position FROM filled) reached
WHERE campaign_id = %(campaign)s AND person_id = %(person)s
"""


@pytest.fixture
def study():
    return make.study(items=12, systems=3, references=1)


@pytest.fixture
def rating(study):
    pay = {"currency": "EUR", "hour": 12, "minutes": 2}
    return make.campaign(study, "rate", overlap=2, pay=pay, settings={"outputs_per_item": 1})


def page_of(client, campaign):
    return client.get(reverse("campaign_work", args=[campaign.study.slug, campaign.slug])).content.decode()


def form_of(page):
    return dict(HIDDEN.findall(page)) | dict(SCALE.findall(page)) | {"seconds": "2.5", "left": "500"}


def submitting(client, campaign, page, headers=HTMX):
    address = reverse("campaign_submit", args=[campaign.study.slug, campaign.slug])
    return lambda: client.post(address, form_of(page), headers=headers)


def annotator(study):
    client = Client()
    client.force_login(make.person(study=study))
    return client


def researcher(study):
    client = Client()
    client.force_login(make.person(Role.RESEARCHER, study))
    return client


def work_page(study, campaign):
    client = annotator(study)
    page_of(client, campaign)
    return lambda: client.get(reverse("campaign_work", args=[study.slug, campaign.slug]))


def submit(study, campaign):
    client, frames = annotator(study), Frames()
    answer = submitting(client, campaign, page_of(client, campaign), frames.headers)()
    page = frames.html(answer)
    return submitting(client, campaign, page, frames.headers)


def draft(study, campaign):
    client = annotator(study)
    form = form_of(page_of(client, campaign)) | {"version": "1", "writer": "a-page"}
    return lambda: client.post(reverse("campaign_draft", args=[study.slug, campaign.slug]), form, headers=HTMX)


def programme(study, campaign):
    client, address = with_token(make.person(study=study)), f"/api/studies/{study.slug}/campaigns/{campaign.slug}/"

    def ask():
        return client.post(f"{address}next/", {}, content_type="application/json")

    return client, address, ask


def api_next(study, campaign):
    _client, _address, ask = programme(study, campaign)
    ask()
    return ask


def api_answer(study, campaign):
    client, address, ask = programme(study, campaign)

    def answering(asked):
        work = asked.json()["work"]
        content = {"ratings": [{"formality": 1, "fluency": 4, "meaning": 4}]}
        said = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "content": content, "seconds": 1.0}
        return lambda: client.post(f"{address}answers/", said, content_type="application/json")

    answering(ask())()
    return answering(ask())


def my_work(study, campaign):
    client = annotator(study)
    page_of(client, campaign)
    return lambda: client.get(reverse("my_work"))


def overview(study, campaign):
    client = researcher(study)
    return lambda: client.get(reverse("study", args=[study.slug]))


def report(study, campaign):
    choose_metrics(study=study, metrics={"bleu": {}, "pinc": {}})
    make_report(study=study)
    client = researcher(study)
    return lambda: client.get(f"/studies/{study.slug}/report/")


def texts(study, campaign):
    client = researcher(study)
    return lambda: client.get(reverse("study_texts", args=[study.slug]))


PAGES = {
    page.__name__: page for page in (work_page, submit, draft, api_next, api_answer, my_work, overview, report, texts)
}


@pytest.mark.parametrize("name", BUDGETS)
def test_a_hot_page_keeps_to_its_budget(study, rating, name):
    ask = PAGES[name](study, rating)
    if name not in ("submit", "api_answer", "draft"):  # those are acts, which are done once
        ask()  # what is kept once for all is not counted
    costs = cost_of(ask)
    assert over_budget(name, costs) == [], costs


def test_an_answer_costs_at_the_end_of_a_long_day_what_it_costs_at_the_beginning():
    study = make.study(items=ANSWERS + 60, systems=1)
    pay = {"currency": "EUR", "hour": 12, "minutes": 2}
    campaign = make.campaign(study, "rate", overlap=2, pay=pay, settings={"outputs_per_item": 1})
    client, who = Client(), make.person(study=study)
    client.force_login(who)
    colleague = make.person(study=study)
    for person in (who, colleague):  # others' answers are there from the beginning
        page_of_one = Client()
        page_of_one.force_login(person)
        page = page_of(page_of_one, campaign)
        for _ in range(3):
            page = submitting(page_of_one, campaign, page)().content.decode()
    values = {"campaign": campaign.pk, "answers": ANSWERS}
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    early = [cost_of_answer(client, campaign) for _ in range(3)]
    with connection.cursor() as cursor:
        cursor.execute(LONG_DAY, {**values, "person": who.pk})
        cursor.execute("ANALYZE")
    page_of(client, campaign)  # what is left is counted, and the sums of what was written by hand are made
    late = [cost_of_answer(client, campaign) for _ in range(3)]
    membership = CampaignMembership.objects.get(person=who, campaign=campaign)
    assert membership.done > ANSWERS
    assert {len(one.statements) for one in early} == {len(one.statements) for one in late}
    most = max(one.rows for one in early)
    assert max(one.rows for one in late) <= most, sorted(late[-1].read, reverse=True)[:2]
    # An index of many is a page or two deeper than one of few.
    assert max(one.buffers for one in late) <= 1.5 * max(one.buffers for one in early)


def cost_of_answer(client, campaign):
    page = page_of(client, campaign)
    with explained() as plans:
        answer = submitting(client, campaign, page)()
    assert answer.status_code == 200
    return plans

"""A program that is told everything which a rater's browser gets tells no control item, system or equal output.

What it is not told are the words of the texts that are judged, since an attention check is bad on purpose, and how many
texts a page holds or a source has over all, which is what the study asks. It gets all else: every field, attribute and
header, sizes without those words, where the source stands in the study and for how long it stays, the statements that
the database was asked, and how each of them moves.
"""

import re
from itertools import groupby
from random import Random
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person, with_token
from support.guesser import differences, of_headers, of_json, of_page, tells

from accounts.permissions import Role
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.models import Answer, Assignment
from annotation.review import unreviewed_answers
from corpora.models import Output
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.workers import kept_checks
from foundation.text_keys import text_key

pytestmark = pytest.mark.django_db
ITEMS, EVERY, SOURCES, SYSTEMS = 180, 3, 150, 3
FEWER = 120  # where each item takes two requests
SCALE = {"scale": "fluency_5", "aspect": "fluency"}
HIDDEN = re.compile(r'<input type="hidden" name="(\w+)" value="([^"]*)">')
PLACES = re.compile(r'name="(rating-\d+-\w+)"')
HTMX = {"HX-Request": "true"}
TEXTS = frozenset({"text", "source", "references"})


@pytest.fixture
def study():
    """Each third source has one output of two systems."""
    made = make.study(items=SOURCES, systems=SYSTEMS)
    first, second = made.systems.order_by("number")[:2]
    texts = dict(first.outputs.values_list("sentence_id", "text"))
    for output in list(second.outputs.order_by("sentence_id"))[::3]:
        Output.objects.filter(pk=output.pk).update(text=texts[output.sentence_id])
    return made


class Statements:
    """How many statements the database was asked."""

    def __init__(self):
        self.count = 0

    def __call__(self, execute, sql, params, many, context):
        self.count += not sql.startswith(("SAVEPOINT", "RELEASE"))
        return execute(sql, params, many, context)

    def during(self, act):
        self.count = 0
        with connection.execute_wrapper(self):
            response = act()
        return response, self.count


def checked_campaign(study, **options):
    """Ratings of one text a page, every third item a control item, chosen at random among all."""
    settings = {"criteria": {"fluency": SCALE}, "outputs_per_item": 1}
    campaign = make.campaign(study, "rate", state="draft", settings=settings, overlap=2, control_every=EVERY, **options)
    draws = Random(5)  # noqa: S311 (which items check is no secret of the test)
    for item in draws.sample(list(campaign.items.all()), ITEMS // EVERY + 25):
        set_expected(item=item, content={"ratings": [{"fluency": draws.randint(1, 5)}]}, by=None)
    return set_campaign_state(campaign=campaign, state="open", by=None)


def in_hand(campaign, who):
    """The item in their hands; the guesser is told its texts alone, to take them out."""
    return (
        Assignment.objects.select_related("item")
        .get(campaign=campaign, annotator=who, state=Assignment.State.LEASED)
        .item
    )


def texts_of(item):
    return [item.content["source"], *item.content["candidates"]]


def place_of(item):
    """Where the item's source stands among the study's, which tells what comes out of turn."""
    return {"source": float(re.search(r"number (\d+)", item.content["source"])[1])}


def worked_by_browser(campaign, who, count):
    """What a browser saw in which so many items were rated, skipped and reported, and the items."""
    browser, statements, draws = as_person(who), Statements(), Random(1)  # noqa: S311
    at, seen, items = [campaign.study.slug, campaign.slug], [], []
    response, asked = statements.during(lambda: browser.get(reverse("campaign_work", args=at)))
    while len(seen) < count:
        item, html = in_hand(campaign, who), response.content.decode()
        seen.append({**of_page(html[html.index('<section id="work"') :], texts_of(item)), **place_of(item)})
        seen[-1] |= {"statements": asked, **of_headers(response.headers), **browsed(browser, at, item, draws)}
        items.append(item)
        form = {**hidden(html), **dict.fromkeys(PLACES.findall(html), draws.randint(1, 5))}
        act = draws.choices(["submit", "skip", "report"], [18, 1, 1])[0]
        form |= {"kind": "unreadable", "seconds": "3", "writer": "a browser"}
        url = reverse(f"campaign_{act}", args=at)
        response, asked = statements.during(lambda url=url, form=form: browser.post(url, form, headers=HTMX))
        assert response.status_code == 200
        seen[-1] |= {"act": len(act), "statements of the act": asked}
    return differences(seen), items


def hidden(html):
    """The hidden fields of the item's form; another one may follow, that takes the last act back."""
    return dict(reversed(HIDDEN.findall(html[html.index("data-work") :])))


def browsed(browser, at, item, draws):
    """Now and then the whole page, with what was typed in between."""
    if draws.random() > 0.1:
        return {}
    html = browser.get(reverse("campaign_work", args=at)).content.decode()
    form = {**hidden(html), "version": "1", "rating-0-fluency": "2", "writer": "a browser"}
    saved = browser.post(reverse("campaign_draft", args=at), form)
    assert saved.status_code == 200
    return {f"page {name}": value for name, value in of_page(html, texts_of(item)).items()} | of_json(
        saved.json(), "draft"
    )


def worked_by_program(campaign, who, count):
    """What a program saw that rated so many items, and the items."""
    program, statements, draws = with_token(who), Statements(), Random(2)  # noqa: S311
    at, seen, items = [campaign.study.slug, campaign.slug], [], []
    response, asked = statements.during(lambda: program.post(reverse("api:campaign-next", args=at)))
    claim = response.json()
    while len(seen) < count:
        work, item = claim["work"], in_hand(campaign, who)
        size = len(response.content) - sum(response.content.decode().count(text) * len(text) for text in texts_of(item))
        seen.append({**of_json(claim, "claim", TEXTS), **of_headers(response.headers), **place_of(item)})
        seen[-1] |= {"statements": asked, "size": size, **of_json(program.get(reverse("api:me-work")).json(), "mine")}
        items.append(item)
        rating = {one["name"]: draws.randint(1, 5) for group in work["item"]["groups"] for one in group["criteria"]}
        held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "seconds": 3.0}
        said = {**held, "content": {"ratings": [rating]}}
        response, asked = statements.during(
            lambda said=said: program.post(reverse("api:campaign-answers", args=at), said, "application/json")
        )
        assert response.status_code == 200, response.content
        answer = response.json()
        claim = answer.pop("next")
        seen[-1] |= {"statements of the act": asked, **of_json(answer, "acknowledged")}
    runs = [len(run) for _, run in ((key, list(run)) for key, run in groupby(items, place_of)) for _ in run]
    return differences([{**one, "run": run} for one, run in zip(seen, runs, strict=True)]), items


def test_nothing_in_the_pages_or_the_api_tells_a_control_item(study):
    campaign = checked_campaign(study)
    for work, count in ((worked_by_browser, ITEMS), (worked_by_program, FEWER)):
        seen, items = work(campaign, make.person(study=study), count)
        control = [item.control for item in items]
        assert count / EVERY * 0.7 < sum(control) < count / EVERY * 1.3
        assert tells(seen, control) == {}


def test_nothing_in_a_human_study_tells_a_control_text_a_system_or_an_equal_output(study):
    plan = {"name": "Judge", "criteria": [{"name": "fluency", **SCALE}], "outputs_per_item": 1, "judgements": 1}
    planned = plan_human_study(study=study, **plan, controls={"every": 3, "kinds": ["broken"]}, by=None)
    human = open_human_study(human_study=planned, by=None)
    seen, items = worked_by_program(human.campaigns.get(), make.person(study=study), FEWER)
    texts = [text_key(item.content["candidates"][0]) for item in items]
    controls = {check.key for check in kept_checks(human)}
    assert tells(seen, [text in controls for text in texts]) == {}
    written = [
        {text_key(text) for text in system.outputs.values_list("text", flat=True)} for system in study.systems.all()
    ]
    for theirs in written:
        assert tells(seen, [text in theirs for text in texts]) == {}
    assert tells(seen, [text in written[0] & written[1] for text in texts]) == {}


def test_nothing_in_the_list_of_ones_answers_tells_a_control_item(study):
    """After a reviewer has accepted what waits, which is every answer but those to control items."""
    campaign, draws = checked_campaign(study, needs_review=True), Random(3)  # noqa: S311
    who, reviewer = make.person(study=study), make.person(Role.REVIEWER, study)
    work = make.held(campaign, who)
    for _ in range(ITEMS // 3):
        content = {"ratings": [{"fluency": draws.randint(1, 5)}]}
        work = make.hand_in(campaign, who, work, content=content, seconds=3.0).next.work
    for answer in unreviewed_answers(campaign=campaign):
        review_answer(answer=answer, verdict="accepted", by=reviewer)
    stored = list(Answer.objects.filter(person=who).select_related("item").order_by("-submitted_at", "-pk"))
    control = [answer.item.control for answer in stored]
    texts = {text for answer in stored for text in (answer.item.content["source"], *answer.item.content["candidates"])}
    program = with_token(who)
    listed, cards = [], []
    for number in range(1, 1 + (len(stored) + 24) // 25):
        page = as_person(who).get(reverse("campaign_answers", args=[study.slug, campaign.slug]), {"page": number})
        cards += re.findall(r"<article.*?</article>", page.content.decode(), re.DOTALL)
    url = reverse("api:campaign-answers", args=[study.slug, campaign.slug])
    while url:
        told = program.get(url).json()
        listed, url = [*listed, *told["results"]], told["next"]
    assert len(listed) == len(cards) == len(stored)
    assert tells(differences([of_page(card, texts) for card in cards]), control) == {}
    assert tells(differences([of_json(one, "answer") for one in listed]), control) == {}

"""The review pages, a worker's page, and what the author of an answer reads: through the site's own addresses."""

from uuid import uuid4

import pytest
from django.urls import reverse
from factories.handles import handle
from support import campaigns as make
from support.clients import as_person, with_token
from support.stage_items import rewrite_to_check

from accounts.permissions import Role
from annotation.actions.pause_annotator import pause_annotator
from annotation.actions.review_answer import review_answer
from annotation.actions.set_expected import set_expected
from annotation.models import Answer, CampaignMembership, Item, Review
from annotation.presenters.answers import presented_answer as shown
from annotation.quality import CHECKS
from annotation.review import work_of
from annotation.task_types import TASK_TYPES
from corpora.models import Sentence

pytestmark = pytest.mark.django_db
REASONS = ["Not formal", "Meaning changed"]


@pytest.fixture
def study():
    return make.study(items=4)


@pytest.fixture
def campaign(study):
    return make.campaign(study, needs_review=True, reasons=REASONS)


@pytest.fixture
def author(study):
    return make.person(study=study, name="Ada")


@pytest.fixture
def reviewer(study):
    return as_person(make.person(Role.REVIEWER, study, name="Rita"))


@pytest.fixture
def lead(study):
    return as_person(make.person(Role.RESEARCHER, study))


def write(campaign, who, *texts):
    made = [make.hand_in(campaign, who, make.held(campaign, who), content={"text": text}) for text in texts]
    return [Answer.objects.get(pk=one.answer) for one in made]


def at(name, campaign, *more, **query):
    address = reverse(name, args=[campaign.study.slug, campaign.slug, *more])
    return address + ("?" + "&".join(f"{key}={value}" for key, value in query.items()) if query else "")


def page(client, address, status=200):
    answer = client.get(address)
    assert answer.status_code == status
    return answer.content.decode()


def test_one_by_one_in_the_order_of_the_items(campaign, author, reviewer):
    first, second, third = write(campaign, author, "One.", "Two.", "Three.")
    shown = page(reviewer, at("campaign_review", campaign, view="one"))
    assert "One." in shown
    assert "3 of these" in shown
    decided = reviewer.post(at("campaign_decide", campaign, first.pk, view="one"), {"verdict": "accepted"})
    assert decided.url == at("campaign_review", campaign, show="waiting", view="one", answer=second.pk)
    assert "Two." in page(reviewer, decided.url)
    for one in (third, second):  # after the last of them the first that waits comes again
        reviewer.post(at("campaign_decide", campaign, one.pk, view="one"), {"verdict": "accepted"})
    assert "All answers are decided" in page(reviewer, at("campaign_review", campaign, view="one"))


def test_a_rejection_needs_a_reason_and_reaches_its_author(campaign, author, reviewer):
    [answer] = write(campaign, author, "gotta go.")
    address = at("campaign_decide", campaign, answer.pk, view="one")
    refused = reviewer.post(address, {"verdict": "rejected", "review-comment": "Look again."})
    assert refused.status_code == 422
    assert "guideline&#x27;s reasons" in refused.content.decode()
    assert "Look again." in refused.content.decode()
    listed = at("campaign_decide", campaign, answer.pk)
    refused = reviewer.post(listed, {"verdict": "rejected", "comment": "Typed in the list."})
    assert (refused.status_code, "Typed in the list." in refused.content.decode()) == (422, True)
    reviewer.post(address, {"verdict": "rejected", "review-comment": "Look again.", "review-reason": REASONS[0]})
    client = as_person(author)
    assert "1 rejected" in page(client, reverse("my_work"))
    own = page(client, at("campaign_answers", campaign, show="rejected"))
    for words in ("Rejected", "Not formal", "Look again.", "gotta go."):
        assert words in own
    assert "Rita" not in own
    assert "Look again." in page(client, at("campaign_revise", campaign, handle("answer", answer.pk, author)))


def test_the_author_replies_and_changes_and_the_reviewer_reads_both(campaign, author, reviewer):
    [answer] = write(campaign, author, "gotta go.")
    reviewer.post(at("campaign_decide", campaign, answer.pk), {"verdict": "rejected", "reason": REASONS[0]})
    review, client = handle("review", Review.objects.get().pk, author), as_person(author)
    empty = client.post(at("campaign_reply", campaign, review), {"reply": " "})
    assert (empty.status_code, "This has to be given: the reply." in empty.content.decode()) == (422, True)
    assert client.post(at("campaign_reply", campaign, review), {"reply": "It is a quote."}).status_code == 302
    client.post(
        at("campaign_revise", campaign, handle("answer", answer.pk, author)),
        {"key": str(uuid4()), "text": "I have to go."},
    )
    assert "rejected" not in page(client, reverse("my_work"))
    waiting = page(reviewer, at("campaign_review", campaign, show="revised", view="one"))
    for words in ("I have to go.", "Not formal", "It is a quote.", "The author answered"):
        assert words in waiting
    other = as_person(make.person(study=campaign.study))
    assert other.post(at("campaign_reply", campaign, review), {"reply": "Mine."}).status_code == 404


def test_a_fix_is_made_in_the_editor_of_the_kind(campaign, author, reviewer):
    [answer] = write(campaign, author, "I has to go.")
    editor = page(reviewer, at("campaign_review", campaign, view="one", answer=answer.pk, fix=1))
    assert "<textarea" in editor
    assert "I has to go." in editor
    address = at("campaign_decide", campaign, answer.pk, view="one")
    refused = reviewer.post(address, {"verdict": "fixed", "text": " "})
    assert (refused.status_code, "<textarea" in refused.content.decode()) == (422, True)
    reviewer.post(address, {"verdict": "fixed", "text": "I have to go."})
    assert Review.objects.get().content == {"text": "I have to go."}
    decided = page(reviewer, at("campaign_review", campaign, show="decided"))
    for words in ("Corrected answer", "I have to go.", "I has to go."):
        assert words in decided


def test_filters_by_person_and_verdict(campaign, author, reviewer, study):
    other = make.person(study=study, name="Bob")
    [first] = write(campaign, author, "From Ada.")
    write(campaign, other, "From Bob.")
    review_answer(answer=first, verdict="rejected", reason=REASONS[0], by=make.person(Role.REVIEWER, study))
    only = page(reviewer, at("campaign_review", campaign, show="answers", person=other.pk))
    assert ("From Bob." in only, "From Ada." in only) == (True, False)
    rejected = page(reviewer, at("campaign_review", campaign, show="answers", verdict="rejected"))
    assert ("From Bob." in rejected, "From Ada." in rejected) == (False, True)
    assert "From Bob." in page(reviewer, at("campaign_review", campaign, person="x", verdict="y", show="z"))


def test_the_api_reviews_and_replies(campaign, author, study):
    [answer] = write(campaign, author, "gotta go.")
    api = with_token(make.person(Role.REVIEWER, study))
    [waiting] = api.get(at("api:campaign-reviews", campaign)).json()["results"]
    assert (waiting["id"], waiting["reviews"]) == (answer.pk, [])
    body = {"answer": answer.pk, "verdict": "fixed", "content": {"text": "I have to go."}}
    made = api.post(at("api:campaign-reviews", campaign), body, content_type="application/json")
    assert made.status_code == 200, made.content
    client = as_person(author)
    own = client.get(at("api:campaign-answers", campaign)).json()["results"]
    assert own[0]["reviews"][0]["verdict"] == "fixed"
    reply = at("api:campaign-reply", campaign, own[0]["reviews"][0]["id"])
    said = client.post(reply, {"text": "Thank you."}, content_type="application/json")
    assert (said.status_code, said.json()["reply"]) == (200, "Thank you.")


def test_every_kind_of_work_shows_its_answers(study):
    """A verification that rejects has no product of its own: what was rejected is shown, with why."""
    campaign = make.campaign(study)
    campaign.task_type, campaign.settings = "verify", TASK_TYPES["verify"].check_settings({})
    said = {"verdict": "reject", "reason": "Something is added", "note": "See the guideline."}
    answer = Answer(campaign=campaign, item=Item(content=rewrite_to_check()), content=said, outcome="answered")
    told = shown(answer)
    assert told.said == [("Verdict", "Rejected"), ("Reason", "Something is added"), ("Note", "See the guideline.")]
    assert told.products[0][0] == "annotation/work/products/rewrite.html"
    assert told.line == "Rejected · Something is added"


def test_a_workers_page_shows_findings_with_links_to_their_answers(study, lead, author):
    campaign = make.campaign(study, control_every=1)
    for item in campaign.items.all():
        set_expected(item=item, content={"text": "Expected."}, by=None)
    answers = write(campaign, author, *["The same all over again."] * 4)
    told = page(lead, at("campaign_worker", campaign, author.pk))
    assert "Repeated text" in told
    assert "The same text stands for 4 different sources" in told
    assert f"answer={answers[0].pk}" in told
    assert "4 control items 0% as expected" in told
    data = lead.get(at("api:campaign-worker", campaign, author.pk))
    assert data.status_code == 200
    assert [one["check_name"] for one in data.json()["findings"]] == ["control_items", "repeated_text"]
    assert page(lead, at("campaign_worker", campaign, make.person(study=study).pk), 404)


def test_pausing_resuming_and_settling_from_the_page(study, lead, author, reviewer):
    campaign = make.campaign(study)
    write(campaign, author, "One.", "Two.")
    address = at("campaign_worker", campaign, author.pk)
    assert lead.post(address, {"act": "pause", "reason": " "}).status_code == 422
    long = "A reason that is too long. " * 100
    refused = lead.post(address, {"act": "pause", "reason": long})
    assert (refused.status_code, long in refused.content.decode()) == (422, True), "it is not to be typed again"
    assert reviewer.post(address, {"act": "pause", "reason": "Why not."}).status_code == 403
    assert lead.post(address, {"act": "pause", "reason": "Too fast."}).status_code == 302
    assert CampaignMembership.objects.get(person=author).state == "paused"
    assert "Too fast." in page(lead, address)
    assert lead.post(address, {"act": "keep"}).status_code == 302
    assert not Review.objects.exists()
    lead.post(address, {"act": "resume"})
    assert lead.post(address, {"act": "reject"}).status_code == 422
    pause_annotator(campaign=campaign, person=author, by=None, reason="Again.")
    lead.post(address, {"act": "reject"})
    assert list(Review.objects.values_list("verdict", flat=True)) == ["rejected", "rejected"]
    assert lead.post(address, {"act": "dance"}).status_code == 422


def test_others_answers_are_those_of_other_people(study):
    rated = make.study(items=3, systems=2)
    criteria = [{"name": "formality", "scale": "formality_7"}]
    campaign = make.campaign(rated, "rate", overlap=3, settings={"criteria": criteria})
    people = [make.person(study=rated) for _ in range(3)]
    for value, who in zip((3, -3, -1), people, strict=True):
        while (work := make.claim(campaign, who).work) is not None:
            rows = [{"formality": value}] * len(work.content["candidates"])
            make.hand_in(campaign, who, work, content={"ratings": rows}, seconds=4.0)
    work = work_of(campaign, people[0].pk)
    assert work.median_seconds == 4.0
    assert [len(answer.rated) for answer in work.answers] == [2, 2, 2]
    for given in work.answers:
        for one in given.rated:
            assert (one.name, one.value, sorted(one.others), one.width) == ("formality", 3.0, [-3.0, -1.0], 6.0)


def test_answers_without_seconds_are_held_to_the_time_between_them_and_long_pages_to_their_words(study):
    rated = make.study(items=6, systems=2)
    for sentence in Sentence.objects.filter(direction__study=rated):
        sentence.text = f"{sentence.text} {'word ' * 200}".strip()
        sentence.save()
    criteria = [{"name": "meaning", "scale": "meaning_6", "aspect": "meaning", "beside": "source"}]
    campaign = make.campaign(rated, "rate", settings={"criteria": criteria})
    cheat = make.person(study=rated)
    while (work := make.claim(campaign, cheat).work) is not None:
        make.hand_in(campaign, cheat, work, content={"ratings": [{"meaning": 3}] * len(work.content["candidates"])})
        make.time_passes(2)
    work = work_of(campaign, cheat.pk)
    assert [answer.seconds for answer in work.answers] == [None, 2.0, 2.0, 2.0, 2.0, 2.0]
    assert {answer.words for answer in work.answers} == {207 + 2 * 7}  # the source and both outputs
    [finding] = CHECKS["speed"].findings(work, CHECKS["speed"].defaults)
    assert "5 of 5 answers (100%) came too fast" in finding.sentence
    assert finding.evidence[0].text == "2.0 s since the answer before, as the page counted none, 221 words"


def test_a_workers_page_takes_few_queries_however_much_they_did(study, author, lead, django_assert_max_num_queries):
    campaign = make.campaign(make.study(items=30))
    who = make.person(study=campaign.study)
    write(campaign, who, *[f"I have to see number {n}." for n in range(30)])
    client = as_person(make.person(Role.RESEARCHER, campaign.study))
    page(client, at("campaign_worker", campaign, who.pk))
    with django_assert_max_num_queries(25):
        page(client, at("campaign_worker", campaign, who.pk))
    with django_assert_max_num_queries(25):
        page(client, at("campaign_review", campaign, show="answers"))

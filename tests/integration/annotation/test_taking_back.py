"""Undo: a skip, a report and an answer are taken back, with the draft that waited; two drafts never mix."""

import json
from uuid import uuid4

import pytest
from django.urls import reverse
from support import campaigns as make

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.actions.report_problem import report_problem
from annotation.actions.review_answer import review_answer
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.set_expected import set_expected
from annotation.actions.skip_item import skip_item
from annotation.actions.undo_last_act import undo_last_act
from annotation.models import Answer, Assignment, Draft
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
TYPED = {"text": "I must"}


@pytest.fixture
def campaign():
    return make.campaign(make.study(items=3))


@pytest.fixture
def who(campaign):
    return make.person(study=campaign.study)


def held(campaign, who, work):
    return {
        "study": campaign.study,
        "campaign": campaign.slug,
        "person": who,
        "assignment": work.assignment,
        "lease": work.lease,
    }


def skip(campaign, who, work, **more):
    return skip_item(**held(campaign, who, work), key=uuid4(), **more)


def undo(campaign, who, **more):
    return undo_last_act(study=campaign.study, campaign=campaign.slug, person=who, **more)


@pytest.mark.parametrize("act", [skip_item, report_problem])
def test_what_was_passed_by_or_reported_is_in_hand_again_with_what_was_typed(campaign, who, act):
    work = make.held(campaign, who)
    more = {"kind": "harmful"} if act is report_problem else {}
    following = act(**held(campaign, who, work), key=uuid4(), form=TYPED, **more).work
    taken = undo(campaign, who).claim.work
    assert (taken.item, taken.draft) == (work.item, TYPED)
    assert not Answer.objects.exists()
    assert Assignment.objects.filter(state=Assignment.State.HELD).count() == 0
    made = make.hand_in(campaign, who, taken)
    assert not made.late
    assert made.next.work.item == following.item  # which waited
    assert make.hand_in(campaign, who, made.next.work).next.work.number == 3


def test_a_control_item_that_was_passed_by_is_taken_back_like_any_other(who, campaign):
    control = make.campaign(campaign.study, control_every=1, state="draft", name="Checked")
    set_expected(item=control.items.get(number=2), content={"text": "Right."}, by=None)
    control.state = "open"
    control.save()
    work = make.held(control, who)
    assert work.number == 2
    skip(control, who, work, form=TYPED)
    other = make.person(study=campaign.study)
    assert make.held(control, other).assignment == work.assignment  # somebody else has the very assignment
    taken = undo(control, who).claim.work
    assert (taken.item, taken.draft) == (work.item, TYPED)


def test_what_cannot_be_taken_back_says_why(campaign, who):
    with pytest.raises(UserError, match="nothing to undo"):
        undo(campaign, who)
    work = make.held(campaign, who)
    following = skip(campaign, who, work).work
    save_draft(**held(campaign, who, following), version=1, form=TYPED)
    with pytest.raises(UserError, match="begun the next item"):
        undo(campaign, who)
    save_draft(**held(campaign, who, following), version=2, form={"text": ""})
    other = make.person(study=campaign.study)
    assert make.held(campaign, other).assignment == work.assignment
    with pytest.raises(UserError, match="Somebody else has this item"):
        undo(campaign, who)
    review_answer(answer=Answer.objects.get(), verdict="returned", by=make.person(Role.REVIEWER, campaign.study))
    with pytest.raises(UserError, match="reviewer has already decided"):
        undo(campaign, who)
    assert make.held(campaign, who).assignment == following.assignment


@pytest.mark.parametrize("act", [make.hand_in, skip])
def test_a_page_without_work_offers_it_to_whoever_did_something(client, act):
    campaign = make.campaign(make.study(items=1))
    address = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
    first, second = (make.person(study=campaign.study) for _ in range(2))
    act(campaign, first, make.held(campaign, first))
    if act is skip:
        make.hand_in(campaign, second, make.held(campaign, second))
        second = make.person(study=campaign.study)
    for who, offered in ((first, True), (second, False)):
        client.force_login(who)
        page = client.get(address).content.decode()
        assert 'data-reason="' in page
        assert ("Undo last" in page.partition('id="nothing-left"')[0]) is offered


def test_an_answer_stands_until_it_is_changed_and_the_one_before_it_may_be_asked_for(campaign, who):
    first = make.hand_in(campaign, who, make.held(campaign, who))
    second = make.hand_in(campaign, who, first.next.work)
    assert undo(campaign, who).answer.pk == second.answer
    assert undo(campaign, who, before=Answer.objects.get(pk=second.answer)).answer.pk == first.answer
    assert make.held(campaign, who).assignment == second.next.work.assignment


def test_an_item_is_handed_in_from_the_page_that_passed_it_by(campaign, who):
    """The key was spent on the skip: the answer was thrown away, and said to be stored."""
    work, key = make.held(campaign, who), uuid4()
    skip_item(**held(campaign, who, work), key=key)
    made = make.hand_in(campaign, who, work, key=key)
    assert not made.late
    assert Answer.objects.get().outcome == "answered"
    again = make.hand_in(campaign, who, work, key=key)
    assert again.answer == made.answer


def test_the_draft_of_another_page_is_overtaken_by_none_that_has_not_seen_it(campaign, who):
    work = make.held(campaign, who)
    held_by = held(campaign, who, work)
    assert save_draft(**held_by, version=1, form=TYPED, seen=0, writer="one") == 1
    for version in (2, 7):  # however often it tried without a network
        with pytest.raises(NewerDraft):
            save_draft(**held_by, version=version, form={"text": "Other"}, seen=0, writer="two")
    assert (
        save_draft(**held_by, version=3, form={"text": "I must go"}, seen=0, writer="one") == 3
    )  # its answer was lost
    with pytest.raises(NewerDraft):
        make.hand_in(campaign, who, work, content={"text": "Other"}, seen=1, writer="two")
    assert save_draft(**held_by, version=4, form={"text": "Other"}, seen=3, writer="two") == 4  # chosen
    assert not make.hand_in(campaign, who, work, content={"text": "Other"}, seen=4, writer="two").late
    assert not Draft.objects.exists()


def test_the_api_takes_back_keeps_a_change_and_tells_what_stands(campaign, who, client):
    _, secret = make_token(person=who, name="test", scopes=["annotate"], days=1)

    def post(path, **body):
        address = f"/api/studies/{campaign.study.slug}/campaigns/{campaign.slug}/{path}"
        sent = {"content_type": "application/json", "headers": {"Authorization": f"Token {secret}"}}
        return client.post(address, json.dumps(body), **sent)

    work = post("next/").json()["work"]
    named = {"slot": work["slot"], "lease": work["lease"]}
    assert post("skip/", **named, key=str(uuid4()), form=TYPED).status_code == 200
    undone = post("undo/").json()
    assert (undone["answer"], undone["next"]["work"]["item"]["text"]) == (None, "I must")
    named = {"slot": undone["next"]["work"]["slot"], "lease": undone["next"]["work"]["lease"]}
    made = post("answers/", **named, key=str(uuid4()), content=TYPED).json()
    other = post("answers/", **named, key=str(uuid4()), content={"text": "Other"})
    assert (other.status_code, other.json()["content"], other.json()["answer"]) == (409, TYPED, made["answer"])
    assert post("undo/").json()["answer"]["id"] == made["answer"]
    draft = post(f"answers/{made['answer']}/draft/", version=1, form={"text": "Half"}, seen=0, writer="me")
    assert draft.json() == {"version": 1}
    refused = post(f"answers/{made['answer']}/draft/", version=2, form={"text": "Other"}, seen=0, writer="another")
    assert (refused.status_code, refused.json()["content"]) == (409, {"text": "Half"})
    change = {"key": str(uuid4()), "content": {"text": "Whole"}, "revision": 1, "seen": 1}
    assert post(f"answers/{made['answer']}/", **change).json()["revision"] == 2
    stale = post(f"answers/{made['answer']}/", key=str(uuid4()), content={"text": "Other"}, revision=1)
    assert (stale.status_code, stale.json()["content"]) == (409, {"text": "Whole"})

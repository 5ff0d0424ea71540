"""Skips, reports, drafts, revisions, and what reviewers make of them."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold
from annotation.actions.report_problem import report_problem
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.save_draft import NewerDraft, save_draft
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.skip_item import skip_item
from annotation.actions.submit_answer import AlreadySubmitted
from annotation.effective_annotations import judgements, rewrites
from annotation.engine.assignment_queue import Reason, free_leases
from annotation.models import Answer, Assignment, Draft
from corpora.models import Reference
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
State = Assignment.State


@pytest.fixture
def study():
    return make.study(items=3)


@pytest.fixture
def reviewer(study):
    return make.person(Role.REVIEWER, study)


def skip(campaign, who, work, **options):
    return skip_item(
        study=campaign.study,
        campaign=campaign.slug,
        person=who,
        assignment=work.assignment,
        lease=work.lease,
        key=uuid4(),
        **options,
    )


def report(campaign, who, work, kind="harmful"):
    return report_problem(
        study=campaign.study,
        campaign=campaign.slug,
        person=who,
        assignment=work.assignment,
        lease=work.lease,
        key=uuid4(),
        kind=kind,
    )


def draft(campaign, who, work, version, text, **more):
    return save_draft(
        study=campaign.study, campaign=campaign.slug, person=who, assignment=work.assignment, lease=work.lease,
        version=version, form={"text": text}, **more,
    )  # fmt: skip


def answer_all(campaign, who):
    work = make.claim(campaign, who).work
    while work:
        work = make.hand_in(campaign, who, work).next.work


def states(item):
    return sorted(Assignment.objects.filter(item=item).values_list("state", flat=True))


def test_a_skipped_item_goes_to_somebody_else_and_never_back(study):
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    work = make.held(campaign, who)
    assert skip(campaign, who, work, comment="too hard").work.number == 2
    skipped = Answer.objects.get()
    assert (skipped.outcome, skipped.content) == ("skipped", {"comment": "too hard"})
    assert make.held(campaign, other).number == 1
    answer_all(campaign, who)
    assert set(Answer.objects.filter(person=who, outcome="answered").values_list("item__number", flat=True)) == {2, 3}


def test_a_reported_item_is_held_until_it_is_returned(study, reviewer):
    campaign, who, other = make.campaign(study, overlap=2), make.person(study=study), make.person(study=study)
    work = make.held(campaign, who)
    assert report(campaign, who, work).work.number == 2
    assert states(work.item) == [State.HELD, State.HELD]
    answer_all(campaign, who)
    answer_all(campaign, other)
    assert make.claim(campaign, other).reason == Reason.HELD
    with pytest.raises(UserError, match="Return a reported item"):
        review_answer(answer=Answer.objects.get(outcome="reported"), verdict="accepted", by=reviewer)
    review_answer(answer=Answer.objects.get(outcome="reported"), verdict="returned", by=reviewer)
    assert states(work.item) == [State.FREE, State.FREE]
    assert make.held(campaign, other).number == 1
    assert make.claim(campaign, who).reason == Reason.YOURS_DONE


def test_a_slot_whose_lease_expires_is_held_while_its_item_is_reported(study):
    campaign, who, other = make.campaign(study, overlap=2), make.person(study=study), make.person(study=study)
    work, theirs = make.held(campaign, who), make.held(campaign, other)
    report(campaign, who, work)
    Assignment.objects.filter(pk=theirs.assignment).update(lease_expires_at=timezone.now() - timedelta(minutes=1))
    assert free_leases() == 1
    assert states(work.item) == [State.HELD, State.HELD]


def test_a_dropped_item_counts_nowhere_and_comes_back_when_it_is_returned(study, reviewer):
    campaign, who = make.campaign(study), make.person(study=study)
    answer_all(campaign, who)
    first = Answer.objects.get(item__number=1)
    review_answer(answer=first, verdict="dropped", by=reviewer)
    assert states(first.item) == [State.DROPPED]
    assert len(list(rewrites(study))) == 2
    review_answer(answer=first, verdict="accepted", by=reviewer)
    assert states(first.item) == [State.DONE]
    assert len(list(rewrites(study))) == 3


def test_a_returned_answer_makes_room_for_somebody_else(study, reviewer):
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    answer_all(campaign, who)
    first = Answer.objects.get(item__number=1)
    review_answer(answer=first, verdict="returned", by=reviewer)
    assert len(list(rewrites(study))) == 2
    assert make.claim(campaign, who).reason == Reason.YOURS_DONE
    make.hand_in(campaign, other, make.held(campaign, other), content={"text": "By the other."})
    assert next(row.text for row in rewrites(study)) == "By the other."


def test_late_work_fills_a_free_slot_once_it_is_accepted(study, reviewer):
    campaign, slow, quick = make.campaign(study, overlap=2), make.person(study=study), make.person(study=study)
    work = make.held(campaign, slow)
    Assignment.objects.filter(pk=work.assignment).update(state=State.FREE, annotator=None, lease=None)
    late = Answer.objects.get(pk=make.hand_in(campaign, slow, work).answer)
    assert late.late
    assert list(rewrites(study)) == []
    review_answer(answer=late, verdict="accepted", by=reviewer)
    assert [row.text for row in rewrites(study)] == ["I have to see number 1."]
    assert states(work.item) == [State.FREE, State.DONE]
    make.hand_in(campaign, quick, make.held(campaign, quick))
    assert states(work.item) == [State.DONE, State.DONE]


def test_rejected_and_pilot_answers_do_not_count(study, reviewer):
    campaign, who = make.campaign(study, state="pilot"), make.person(study=study)
    answer_all(campaign, who)
    campaign = set_campaign_state(campaign=campaign, state="open", by=None)
    assert list(rewrites(study)) == []
    answer_all(campaign, who)
    review_answer(answer=Answer.objects.get(item__number=2, pilot=False), verdict="rejected", by=reviewer)
    assert [row.text for row in rewrites(study)] == ["I have to see number 1.", "I have to see number 3."]


def test_a_revision_is_appended_and_the_highest_stands(study):
    campaign, who = make.campaign(study), make.person(study=study)
    first = Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who)).answer)
    revise_guideline(campaign=campaign, text="Be kind.", by=None)
    key = uuid4()
    second = revise_answer(answer=first, person=who, key=key, content={"text": "Kindly see number 1."})
    assert (second.revision, second.guideline_version) == (2, 2)
    again = revise_answer(answer=first, person=who, key=key, content={"text": "Kindly see number 1."})
    assert again.pk == second.pk
    with pytest.raises(AlreadySubmitted):
        revise_answer(answer=first, person=who, key=key, content={"text": "x"})
    with pytest.raises(AlreadySubmitted):  # a page that showed the first revision
        revise_answer(answer=first, person=who, key=uuid4(), content={"text": "x"}, revision=1)
    first.refresh_from_db()
    assert (first.content, first.guideline_version) == ({"text": "I have to see number 1."}, 1)
    [row] = rewrites(study)
    assert (row.text, row.revision, row.guideline_version) == ("Kindly see number 1.", 2, 2)
    assert row.pseudonym == str(who.pseudonym)


def test_nobody_changes_the_answer_of_another(study):
    campaign, who, other = make.campaign(study), make.person(study=study), make.person(study=study)
    first = Answer.objects.get(pk=make.hand_in(campaign, who, make.held(campaign, who)).answer)
    with pytest.raises(UserError, match="You can no longer change this answer"):
        revise_answer(answer=first, person=other, key=uuid4(), content={"text": "x"})


def test_active_seconds_go_with_the_draft_and_count_on_elsewhere(study, client):
    campaign, who = make.campaign(study, prefetch=2), make.person(study=study)
    work = make.held(campaign, who)
    assert work.draft_seconds == ""
    draft(campaign, who, work, 1, "I ha", seconds=12.754)
    draft(campaign, who, work, 2, "I have", seconds=None)
    draft(campaign, who, work, 3, "I have to", seconds=0.25)  # a page that began to count anew
    assert make.held(campaign, who).draft_seconds == "12.75"
    client.force_login(who)
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    assert 'name="seconds" value="12.75"' in page
    for version, wrong in enumerate((-1.0, float("nan"), 1e9), 4):
        draft(campaign, who, work, version, f"I have to see {version}", seconds=wrong)
    assert make.held(campaign, who).draft_seconds == "12.75"


def test_a_draft_is_kept_and_an_older_version_is_refused(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    assert draft(campaign, who, work, 1, "I ha") == 1
    assert draft(campaign, who, work, 3, "I have to") == 3
    with pytest.raises(NewerDraft) as newer:
        draft(campaign, who, work, 2, "I hav")
    assert (newer.value.version, newer.value.content) == (3, {"text": "I have to"})
    again = make.held(campaign, who)
    assert (again.draft, again.draft_version) == ({"text": "I have to"}, 3)
    make.hand_in(campaign, who, work)
    assert not Draft.objects.exists()
    with pytest.raises(UserError, match="no longer yours"):
        draft(campaign, who, work, 4, "too late")


def test_a_draft_keeps_the_lease_alive(study):
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    Assignment.objects.filter(pk=work.assignment).update(lease_expires_at=timezone.now() - timedelta(seconds=1))
    draft(campaign, who, work, 1, "I ha")
    assert free_leases() == 0


def test_rewrites_become_reference_sets_and_again_the_same(study):
    campaign = make.campaign(study, overlap=2)
    people = [make.person(study=study) for _ in range(2)]
    for who in people:
        answer_all(campaign, who)
    for _ in range(2):
        made = adopt_gold(campaign=campaign, by=None).sets
        assert [one.number for one in made] == [0, 1]
        assert Reference.objects.count() == 6
    assert Reference.objects.filter(set=made[0]).count() == 3


def test_rewrites_that_are_missing_make_no_set(study):
    with pytest.raises(UserError, match="no gold to adopt"):
        adopt_gold(campaign=make.campaign(study), by=None)


def test_judgements_carry_sentence_text_criterion_person_and_value():
    study = make.study(items=2, systems=2)
    campaign, who = make.campaign(study, "rate"), make.person(study=study)
    work = make.held(campaign, who)
    row = {"formality": 2, "fluency": 5, "meaning": 6}
    make.hand_in(campaign, who, work, content={"ratings": [row, {**row, "formality": -3}]})
    found = list(judgements(study))
    assert len(found) == 6
    sentence = study.directions.get().sentences.get(number=1)
    assert {one.sentence_id for one in found} == {sentence.pk}
    assert {one.pseudonym for one in found} == {str(who.pseudonym)}
    by_text = {(one.text_key, one.criterion): one.value for one in found}
    first, second = (work.content["candidates"][index] for index in work.order)
    assert (by_text[first, "formality"], by_text[second, "formality"]) == (2.0, -3.0)
    assert [criterion.name for criterion in study.criteria.all()] == ["formality", "fluency", "meaning"]

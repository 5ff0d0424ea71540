"""Nobody judges a text that they wrote, however it came among the texts that are judged."""

from uuid import uuid4

import orjson
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from support import campaigns as make

from accounts.permissions import Role
from annotation.actions.adopt_gold import adopt_gold
from annotation.actions.create_campaign import create_campaign
from annotation.actions.import_gold import import_gold
from annotation.actions.make_release import make_release
from annotation.actions.review_answer import review_answer
from annotation.actions.revise_answer import revise_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.set_expected import set_expected
from annotation.engine.assignment_queue import Reason
from annotation.models import Answer, Item, ReleasePiece
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Output, System

pytestmark = pytest.mark.django_db
MINE = "I shall have to see that one."
JUDGING = {
    "rate": {"settings": {"rate_reference": True}},
    "rank": {"settings": {"rate_reference": True}},
    "best_worst": {"settings": {"rate_reference": True}},
    "label": {"settings": {"of": "references"}},
}


@pytest.fixture
def study():
    return make.study(items=1, systems=2)


@pytest.fixture
def writer(study):
    return make.person(study=study)


@pytest.fixture
def other(study):
    return make.person(study=study)


def wrote(study, who, text=MINE):
    campaign = make.campaign(study, name=f"writing {uuid4()}")
    made = make.hand_in(campaign, who, make.held(campaign, who), content={"text": text})
    return campaign, Answer.objects.get(pk=made.answer)


def judging(study, kind="rate", **more):
    return make.campaign(study, kind, **{**JUDGING[kind], "name": f"{kind} {uuid4()}", **more})


@pytest.mark.parametrize("kind", JUDGING)
def test_who_wrote_the_reference_that_was_adopted_does_not_judge_it(study, writer, other, kind):
    campaign, _answer = wrote(study, writer)
    adopt_gold(campaign=campaign, by=None)
    judged = judging(study, kind)
    assert MINE in str(judged.items.get().content)
    assert make.claim(judged, writer).reason == Reason.YOURS_DONE
    make.held(judged, other)


@pytest.mark.parametrize("kind", ["rate", "rank", "best_worst"])
def test_who_wrote_the_same_as_a_system_does_not_judge_it(study, writer, other, kind):
    wrote(study, writer, text="you  should see 1 in Manner 1.")
    judged = judging(study, kind, settings=dict(JUDGING[kind]["settings"], rate_reference=False))
    assert make.claim(judged, writer).reason == Reason.YOURS_DONE
    make.held(judged, other)


def test_what_they_wrote_first_and_changed_counts_too(study, writer, other):
    campaign, answer = wrote(study, writer)
    adopt_gold(campaign=campaign, by=None)
    revise_answer(answer=answer, person=writer, key=uuid4(), content={"text": "Something else."})
    assert make.claim(judging(study), writer).reason == Reason.YOURS_DONE


def test_a_reviewer_does_not_judge_what_they_made_of_it(study, writer, other):
    campaign, answer = wrote(study, writer, text="One sees it.")
    reviewer = make.person(Role.REVIEWER, study)
    review_answer(answer=answer, verdict="fixed", content={"text": MINE}, by=reviewer)
    adopt_gold(campaign=campaign, by=None)
    judged = judging(study)
    assert make.claim(judged, reviewer).reason == Reason.YOURS_DONE
    make.held(judged, other)


def test_who_writes_a_text_while_it_is_judged_does_not_get_it_any_more(study, writer, other):
    judged = judging(study, settings={"rate_reference": False})
    wrote(study, writer, text="You should see 1 in manner 2.")
    assert make.claim(judged, writer).reason == Reason.YOURS_DONE
    make.held(judged, other)
    assert judged.items.get().authors == [writer.pk]


def test_who_wrote_the_same_as_another_does_not_check_the_others(study, writer, other):
    first = make.campaign(study, overlap=2)
    second = make.campaign(study, "verify", after=first)
    for who in (other, writer):
        make.hand_in(first, who, make.held(first, who), content={"text": MINE})
    assert make.claim(second, writer).reason == Reason.YOURS_DONE
    assert make.claim(second, other).reason == Reason.YOURS_DONE
    assert [item.people for item in second.items.order_by("number")] == [[other.pk], [writer.pk]]  # whose hand it was
    make.held(second, make.person(study=study))


def test_a_pilot_and_a_control_item_are_kept_from_their_author_too(study, writer, other):
    campaign, _answer = wrote(study, writer)
    adopt_gold(campaign=campaign, by=None)
    pilot = judging(study, state="pilot")
    assert make.claim(pilot, writer).reason == Reason.YOURS_DONE
    make.held(pilot, other)
    checked = create_campaign(
        study=study, name="with controls", task_type="label", settings={"of": "references"}, control_every=1
    )
    set_expected(item=checked.items.get(), content={"labels": ["Punctuation"], "none": False}, by=None)
    set_campaign_state(campaign=checked, state="open", by=None)
    assert make.claim(checked, writer).work is None
    assert make.claim(checked, other).work is not None


def test_gold_that_was_released_here_knows_its_authors_in_another_study(study, writer):
    wrote(study, writer)
    release = make_release(study=study, settings={"forms": ["jsonl"], "unreviewed": True}, by=None)
    pieces = ReleasePiece.objects.filter(file__release=release, file__name__endswith=".jsonl").order_by("number")
    data = b"".join(bytes(piece.data) for piece in pieces)
    assert orjson.loads(data.splitlines()[0])["annotators"]
    elsewhere = create_study(slug="elsewhere", title="Elsewhere", styles=["informal", "formal"])
    import_gold(study=elsewhere, file=TextFile(data, "gold.jsonl"), form="jsonl")
    judged = judging(elsewhere, "label")
    assert judged.items.get().authors == [writer.pk]


def test_of_a_document_its_sentences_are_found(study, writer, other):
    study = make.study(items=2)
    study.unit = "document"
    study.save()
    system = System.objects.create(study=study, number=1, name="people", origin="a test")
    texts = ("It is one of these.", MINE)
    for sentence, text in zip(study.directions.get().sentences.order_by("number"), texts, strict=True):
        Output.objects.create(system=system, sentence=sentence, text=text)
    who = make.person(study=study)
    wrote(study, who, text="It is one of these.")
    judged = judging(study, settings={"rate_reference": False})
    assert [who.pk in item.authors for item in judged.items.order_by("number")] == [True, False]


def test_a_claim_asks_no_more_than_before(study, writer, other):
    campaign, _answer = wrote(study, writer)
    adopt_gold(campaign=campaign, by=None)
    judged, plain = judging(study), make.campaign(study, name="plain")
    make.claim(judged, other), make.claim(plain, other)
    counts = []
    for where in (judged, plain):
        with CaptureQueriesContext(connection) as asked:
            make.claim(where, other)
        counts.append(len([one for one in asked if "SAVEPOINT" not in one["sql"]]))
    assert counts == [3, 3]
    assert Item.objects.filter(campaign=plain, authors__len__gt=0).count() == 0

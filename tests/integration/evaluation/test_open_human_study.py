"""While a human study is open nobody is shown how the systems compare; somebody is left out by hand, and taken back."""

import json
from datetime import datetime
from statistics import fmean
from uuid import uuid4

import krippendorff
import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person

from accounts.actions.erase_person import erase_person
from accounts.models import AuditEntry, Person
from accounts.permissions import Role
from annotation.actions.revise_guideline import revise_guideline
from annotation.models import Answer
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.models import Output, System
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.exclude_rater import exclude_rater
from evaluation.actions.include_rater import include_rater
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.main_comparison import exclusion_effect
from evaluation.human_studies.preregistration import protocol_deviations, summary_of
from evaluation.human_studies.preview import preview
from evaluation.human_studies.workers import screened, workers_of
from evaluation.models import HumanStudy
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
MEANING = [{"name": "meaning", "scale": "meaning_6", "aspect": "meaning"}]
COMPARISON = {"baseline": make.SYSTEMS[0], "criterion": "meaning"}


def opened(study, **plan):
    plan = {"criteria": MEANING, "judgements": 3, "comparison": COMPARISON, **plan}
    return open_human_study(human_study=plan_human_study(study=study, name="Meaning", **plan), by=None)


def rate(human, who, judge):
    campaign = human.campaigns.get()
    while work := make.claim(campaign, who).work:
        texts = [work.content["candidates"][one] for one in work.order]  # as they are presented
        content = {"ratings": [{"meaning": judge(text)} for text in texts]}
        make.hand_in(campaign, who, work, content=content, seconds=20.0)


def by_system(text):
    return 5 if "manner 2" in text else 3


def upside_down(text):
    return 1 if "manner 2" in text else 6


@pytest.fixture
def study():
    return make.study(items=12, systems=2)


@pytest.fixture
def lead(study):
    return make.person(Role.RESEARCHER, study)


@pytest.fixture
def judged(study):
    """Open and wholly judged: by two who know the systems, and by one who has it upside down."""
    human = opened(study)
    people = [make.person(study=study, name=f"Name Number{n}") for n in range(3)]
    for who, judge in zip(people, (by_system, by_system, upside_down), strict=True):
        rate(human, who, judge)
    human.people = people
    return human


def page(who, name, *args):
    client = Client()
    client.force_login(who)
    return client.get(reverse(name, args=args)).content.decode()


def everywhere(study, human, lead):
    """All that is told of the study: its page, its endpoint, the report with its tables, and the report's page."""
    stored = make_report(study=study)
    client = Client()
    client.force_login(lead)
    api = client.get(reverse("api:human-detail", args=[study.slug, human.slug])).json()
    rows = client.get(reverse("api:rows", args=[study.slug]), {"criterion": "meaning"})
    return {
        "page": page(lead, "human_study", study.slug, human.slug),
        "api": json.dumps(api["summary"]),
        "report": stored.text,
        "tables": stored.tables,
        "report page": page(lead, "study_report", study.slug),
        "rows": rows.content.decode(),
    }


def test_nothing_says_how_systems_compare_before_it_closes(study, lead, judged):
    told = everywhere(study, judged, lead)
    report = make_report(study=study).content
    (human,) = report["human_studies"]
    assert (human["withheld"], human["compared"], human["answers"]) == (True, [], 36)
    assert all(not row["human"] for row in report["systems"]), "no system has a mean"
    assert "Main comparison</h2>" not in told["page"]
    assert "when the study is closed" in told["page"]
    assert "Agreement" in told["page"]
    assert "The report includes its judgements when the study is closed." in told["report page"]
    assert json.loads(told["api"])["compared"] == []
    close_human_study(human_study=judged, by=None)
    report = make_report(study=study).content
    assert {row["name"]: row["human"]["meaning"]["mean"] for row in report["systems"]} == {
        make.SYSTEMS[0]: pytest.approx(4.0), make.SYSTEMS[1]: pytest.approx(11 / 3)
    }  # fmt: skip
    (human,) = report["human_studies"]
    assert (human["withheld"], len(human["compared"])) == (False, 1)
    assert "Main comparison</h2>" in page(lead, "human_study", study.slug, judged.slug)


def test_its_plan_may_say_otherwise_before_it_opens_and_then_no_more(study, lead):
    human = opened(study, shows_comparison=True)
    assert human.frozen["rules"]["shows_comparison"] is True
    for who, judge in ((make.person(study=study), by_system), (make.person(study=study), by_system)):
        rate(human, who, judge)
    assert len(summary_of(human)["compared"]) == 1
    assert "and the comparison of the systems" in page(lead, "human_study", study.slug, human.slug)
    assert make_report(study=study).content["systems"][0]["human"]["meaning"]["n"] == 24
    with pytest.raises(UserError, match="frozen"):
        plan_human_study(study=study, human_study=human, shows_comparison=False)


def test_the_answers_under_each_version_of_the_guideline_are_told(study):
    human = opened(study, guideline="Be kind.")
    campaign, who = human.campaigns.get(), make.person(study=study)
    make.hand_in(campaign, who, work := make.held(campaign, who), content=said_of(work), seconds=20.0)
    assert not any("versions" in one for one in protocol_deviations(human))
    revise_guideline(campaign=campaign, text="Be brief.", by=None)
    for _ in range(2):
        make.hand_in(campaign, who, work := make.held(campaign, who), content=said_of(work), seconds=20.0)
    told = "The answers of the campaign Meaning: rate were given under several versions of its guideline"
    assert f"{told} (version 1: 1; version 2: 2)." in protocol_deviations(human)
    assert any(told in one for one in summary_of(human)["departures"])


def test_an_empty_guideline_is_told_before_it_opens(study, lead):
    asked = "The guideline is empty, so people will not know what to do."
    for guideline, count in ({"Be kind.": 0, "": 1}).items():
        plan = plan_human_study(study=study, name=f"Plan {count}", criteria=MEANING, guideline=guideline)
        page = as_person(lead).get(reverse("human_study", args=[study.slug, plan.slug])).content.decode()
        assert page.count(asked) == count


def said_of(work):
    return {"ratings": [{"meaning": 3} for _ in work.order]}


def test_a_rule_with_fewer_control_texts_than_it_needs_is_refused_before_it_is_frozen(study):
    plan = plan_human_study(
        study=study, name="Few", criteria=MEANING, controls={"every": 6, "kinds": ["copied"]}, use_controls=True
    )
    sentence = (
        "The rules on attention checks need 3 of them a person, and there are 2; put them on more pages, "
        "judge more, or leave the rules out."
    )
    assert preview(plan, list(plan.systems.all())).lacking == sentence
    with pytest.raises(UserError, match="need 3 of them a person, and there are 2"):
        open_human_study(human_study=plan, by=None)
    plan.refresh_from_db()
    assert (plan.state, plan.frozen, plan.campaigns.count()) == ("draft", None, 0)
    plan_human_study(study=study, human_study=plan, controls={"every": 4, "kinds": ["copied"]})
    assert preview(plan, list(plan.systems.all())).lacking == ""
    assert len(open_human_study(human_study=plan, by=None).control_texts) == 3


def test_the_quota_says_how_many_control_texts_a_person_meets(study):
    plan = plan_human_study(
        study=study, name="Quota", criteria=MEANING, controls={"every": 3, "kinds": ["copied"]}, use_controls=True,
        eligibility={"quota": 6},
    )  # fmt: skip
    with pytest.raises(UserError, match="who does 6 pages meets 2 of 4"):
        open_human_study(human_study=plan, by=None)


@pytest.mark.parametrize(
    ("rules", "more", "said"),
    [
        ({"least_agreement": 0.2}, {"judgements": 1}, "needs 2 people an output, and 1 is planned"),
        ({"straight_lining": 0.9}, {"size": 4, "sampling": "random"}, "needs 10 texts, and there are 8"),
        ({"least_seconds": 3}, {"size": 4, "sampling": "random"}, "needs 5 pages, and there are 4"),
    ],
)
def test_other_rules_that_will_leave_nobody_out_are_named(study, rules, more, said):
    plan = plan_human_study(study=study, name="Rules", criteria=MEANING, exclusions=rules, **more)
    assert said in " ".join(preview(plan, list(plan.systems.all())).idle)


def test_long_texts_take_their_time_in_the_cost(study):
    plan = plan_human_study(study=study, name="Cost", criteria=MEANING)
    short = preview(plan, list(plan.systems.all())).cost
    assert short.works[0].seconds == 6.0
    for output in Output.objects.filter(system__study=study):
        output.text += " word" * 238
        output.save()
    long = preview(plan, list(plan.systems.all())).cost
    beside = 7 / 2  # the source stands once beside two outputs
    assert long.works[0].seconds == round(6.0 + (238 + 7 + beside - 20) * 60 / 238, 1)
    assert long.hours == pytest.approx(24 * 3 * long.works[0].seconds / 3600)


def test_who_sends_no_seconds_is_held_to_the_time_between_the_answers(study):
    human = opened(study, exclusions={"least_seconds": 5})
    campaign, cheat = human.campaigns.get(), make.person(study=study)
    while work := make.claim(campaign, cheat).work:
        make.hand_in(campaign, cheat, work, content={"ratings": [{"meaning": 3}] * len(work.order)})
        make.time_passes(2)
    assert screened(study)[0] == {
        str(cheat.pseudonym): "The median answer took 2.0 seconds, and 5 are asked for."
    }  # fmt: skip


def test_nor_is_one_amended_to_it_later(study):
    human = opened(study, controls={"every": 6, "kinds": ["copied"]})
    with pytest.raises(UserError, match="need 3 of them a person, and there are 2"):
        amend_human_study(human_study=human, use_controls=True, by=None)


def test_one_person_is_left_out_by_hand_and_taken_back(study, lead, judged):
    close_human_study(human_study=judged, by=None)
    who = judged.people[2]
    named = str(who.pseudonym)
    before, after = exclusion_effect(judged, named, workers_of(judged)).criteria[0]
    assert (before.judgements, after.judgements) == (72, 48)
    assert [name for name, _ in before.systems] == [make.SYSTEMS[0], make.SYSTEMS[1]]
    assert [name for name, _ in after.systems] == [make.SYSTEMS[1], make.SYSTEMS[0]]
    table = np.array([[3, 5] * 12, [3, 5] * 12, [6, 1] * 12], dtype=float)
    assert before.alpha == pytest.approx(krippendorff.alpha(table, level_of_measurement="ordinal"))
    assert after.alpha == pytest.approx(1.0)

    exclude_rater(human_study=judged, person=named, reason="Had the scale upside down, as they wrote", by=lead)
    assert screened(study)[0] == {named: "Left out by hand: Had the scale upside down, as they wrote."}
    said = "One person was excluded by hand: Had the scale upside down, as they wrote."
    assert said in protocol_deviations(judged)
    report = make_report(study=study).content
    filtered = {row["name"]: row["variants"]["filtered"]["meaning"]["mean"] for row in report["systems"]}
    assert filtered == {make.SYSTEMS[0]: 3, make.SYSTEMS[1]: 5}
    first = report["systems"][0]
    assert first["variants"]["raw"]["meaning"]["n"] == 36, "the raw results stay as they are"
    assert (report["variant"], first["human"]) == ("filtered", first["variants"]["filtered"]), "as the main comparison"
    (told,) = report["human_studies"]
    assert said in told["departures"]
    assert named not in json.dumps(report)
    (compared,) = summary_of(judged)["compared"]
    assert compared["mean"] == fmean([5])
    entry = AuditEntry.objects.get(action="exclude_rater")
    assert (entry.person, entry.study_slug, entry.details["person"]) == (lead, study.slug, named)

    study.memberships.filter(person__pseudonym=named).update(role="researcher")
    with pytest.raises(UserError, match="ask somebody else"):
        include_rater(human_study=judged, person=named, by=Person.objects.get(pseudonym=named))
    include_rater(human_study=judged, person=named, by=lead)
    assert screened(study)[0] == {}
    assert AuditEntry.objects.filter(action="include_rater").count() == 1
    by_hand = [departure for departure in protocol_deviations(judged) if "by hand" in departure]
    assert len(by_hand) == 1
    assert by_hand[0].startswith("One person was excluded by hand from 20"), "though taken back"
    assert Answer.objects.count() == 36


def test_while_it_is_open_only_judgements_and_agreement_say_what_changes(study, judged):
    effect = exclusion_effect(judged, str(judged.people[2].pseudonym), workers_of(judged))
    (before, after) = effect.criteria[0]
    assert (effect.withheld, effect.people, before.systems, after.systems) == (True, (3, 2), [], [])
    assert before.judgements - after.judgements == 24


def test_the_page_shows_what_changes_and_then_does_it(study, lead, judged):
    close_human_study(human_study=judged, by=None)
    client = Client()
    client.force_login(lead)
    address = reverse("human_rater", args=[study.slug, judged.slug, judged.people[2].pseudonym])
    shown = client.get(address).content.decode()
    for words in ("72", "48", "Krippendorff", "Number2", make.SYSTEMS[1]):
        assert words in shown
    answer = client.post(address, {"reason": "Number2 slept"})
    assert answer.status_code == 422
    assert "may not name the person" in answer.content.decode()
    assert client.post(address, {"reason": " "}).status_code == 422
    assert HumanStudy.objects.get(pk=judged.pk).excluded == []
    assert client.post(address, {"reason": "Slept."}).status_code == 302
    assert "Left out by hand: Slept." in page(lead, "human_study", study.slug, judged.slug)
    assert "Include again" in client.get(address).content.decode()
    assert client.post(address).status_code == 302
    assert HumanStudy.objects.get(pk=judged.pk).excluded == []


def test_the_api_does_the_same_by_pseudonym(study, lead, judged):
    client = as_person(lead)
    address = reverse("api:human-rater", args=[study.slug, judged.slug, judged.people[2].pseudonym])
    effect = client.get(address).json()
    assert (effect["people"], effect["left_out_by_hand"]) == ([3, 2], False)
    done = client.post(address, {"reason": "Slept."}, content_type="application/json").json()
    assert [one["left_out"] for one in done["summary"]["workers"]].count("Left out by hand: Slept.") == 1
    assert "Number2" not in json.dumps(done)
    again = client.post(address, {"reason": "Slept."}, content_type="application/json")
    assert (again.status_code, again.json()["detail"]) == (400, "person: This person is already excluded.")
    assert client.delete(address).status_code == 200
    nobody = reverse("api:human-rater", args=[study.slug, judged.slug, uuid4()])
    assert client.get(nobody).status_code == 400


def test_who_is_erased_is_named_in_no_reason(study, lead, judged):
    exclude_rater(human_study=judged, person=str(judged.people[2].pseudonym), reason="As Ada Byron wrote.", by=lead)
    ada = make.person(study=study, name="Ada Byron")
    erase_person(person=ada, by=make.person(Role.ADMIN))
    assert "Byron" not in json.dumps(HumanStudy.objects.get(pk=judged.pk).excluded)


def test_of_several_studies_the_closed_ones_count(study, judged):
    System.objects.create(study=study, number=9, name="Nobody judges it", origin="a test")
    close_human_study(human_study=judged, by=None)
    again = opened(study, comparison={})
    rate(again, make.person(study=study), upside_down)
    report = make_report(study=study).content
    assert {one["withheld"] for one in report["human_studies"]} == {True, False}
    row = next(one for one in report["systems"] if one["name"] == make.SYSTEMS[0])
    assert row["human"]["meaning"]["n"] == 36


def test_each_amendment_is_a_deviation_at_its_moment_also_when_it_was_taken_back():
    human = opened(make.study(items=2, systems=2))
    close_human_study(human_study=human, by=None)
    planned, told = human.comparison, protocol_deviations(human)
    for comparison in (
        {**planned, "test": "approximate_randomization"},
        {**planned, "test": "approximate_randomization"},
        planned,
    ):
        amend_human_study(human_study=human, comparison=comparison, by=None)
    at = [f"{datetime.fromisoformat(one['at']):%Y-%m-%d %H:%M} UTC" for one in human.amendments]
    there, back = "approximate_randomization", planned["test"]
    assert protocol_deviations(human) == [
        *told,
        f"Amended on {at[0]}: The test of the main comparison was {back}, and is now {there}.",
        f"Amended on {at[1]}: The test of the main comparison was {there}, and is now {back}.",
    ]
    # A study that was amended before amendments were kept: what differs from the plan is said without a moment.
    HumanStudy.objects.update(amendments=[], exclusions={"least_seconds": 2})
    human.refresh_from_db()
    said = "The rules of exclusion were none, and are now at least 2 seconds an answer."
    assert protocol_deviations(human) == [*told, said]


def test_a_system_of_the_other_direction_alone_is_no_deviation():
    study = make.study(items=2, systems=2)
    human = opened(study, direction=study.directions.get())
    back = add_direction(study=study, source_style="formal", target_style="informal")
    add_sources(direction=back, texts=["One has to see it."])
    first = study.directions.first().sentences.first()
    for number, name, sentence in ((8, "Back", back.sentences.get()), (9, "Later", first)):
        system = System.objects.create(study=study, number=number, name=name, origin="a test")
        Output.objects.create(system=system, sentence=sentence, text="see it")
    assert [said for said in protocol_deviations(human) if "added later" in said] == [
        "The system Later was added later, so it is not judged here."
    ]


def test_an_interval_of_a_comparison_that_is_decided_once_holds_once(client):
    study = make.study(items=6, systems=2)
    human = opened(study, judgements=1)
    levels = iter([3, 5, 2, 6, 3, 4, 2, 4, 1, 6, 3, 5])
    rate(human, make.person(study=study), lambda text: next(levels))
    close_human_study(human_study=human, by=None)
    amend_human_study(human_study=human, comparison={**COMPARISON, "test": "paired_bootstrap"}, by=None)
    (compared,) = summary_of(human)["compared"]
    said = f"{compared['low']:.2f} to {compared['high']:.2f}"
    client.force_login(make.person(Role.RESEARCHER, study))
    page = client.get(reverse("human_study", args=[study.slug, human.slug])).content.decode()
    assert f"95% interval: {said}" in " ".join(page.split())
    assert "at any moment:" not in page
    make_report(study=study)
    table = client.get(reverse("table_file", args=[study.slug, "main_comparisons", "latex"])).content.decode()
    assert "Meaning: 95\\% intervals of the difference by Paired bootstrap." in table
    assert "at any moment" not in table

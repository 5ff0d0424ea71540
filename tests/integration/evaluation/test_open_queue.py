"""Judgements go where the comparison is open, and a closed study is begun again with other people."""

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.models import Assignment
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.actions.repeat_human_study import repeat_human_study
from evaluation.actions.settle_systems import settle_open_studies
from evaluation.human_studies.open_queue import BEHIND, weights_of
from evaluation.human_studies.preregistration import summary_of
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
MEANING = [{"name": "meaning", "scale": "meaning_6", "aspect": "meaning"}]
COMPARISON = {"baseline": make.SYSTEMS[0], "criterion": "meaning", "looks": "any", "queue": "open"}
BETTER, SAME = make.SYSTEMS[1], make.SYSTEMS[2]


def opened(study, **plan):
    plan = {"criteria": MEANING, "judgements": 1, "comparison": COMPARISON, "outputs_per_item": 1, **plan}
    return open_human_study(human_study=plan_human_study(study=study, name="Meaning", **plan), by=None)


def value_of(text):
    number = int(text.split(" in manner")[0].split()[-1])
    return {"1": 3, "2": 6, "3": 3 + (-1) ** number}[text.rstrip(".")[-1]]


def rate(human, who, most):
    campaign = human.campaigns.get()
    for _ in range(most):
        if not (work := make.claim(campaign, who).work):
            return
        values = [value_of(work.content["candidates"][place]) for place in work.order]
        make.hand_in(campaign, who, work, content={"ratings": [{"meaning": value} for value in values]}, seconds=9.0)


def of_system(human, number):
    return human.campaigns.get().assignments.filter(item__content__candidates__0__endswith=f"manner {number}.")


@pytest.fixture
def study():
    return make.study(items=40, systems=3)


def test_texts_of_a_settled_system_wait_but_for_a_share_and_the_mean_says_so(study):
    human, who = opened(study), make.person(study=study)
    rate(human, who, 95)
    assert settle_open_studies() > 0
    human.refresh_from_db()
    assert human.draws["settled"][BETTER]["as"] == "told"
    assert SAME not in human.draws["settled"]
    free = of_system(human, 2).filter(state=Assignment.State.FREE)
    behind = free.filter(position__gt=BEHIND).count()
    assert behind == len(human.draws["behind"]) > len(human.draws["chances"])
    assert not of_system(human, 1).filter(position__gt=BEHIND).exists()
    assert not of_system(human, 3).filter(position__gt=BEHIND).exists()
    draws = human.draws
    settle_open_studies()
    human.refresh_from_db()
    assert human.draws == draws, "what was drawn stays drawn"
    assert set(weights_of(human).values()) <= {5.0, 0.0}

    left = human.campaigns.get().assignments.filter(state=Assignment.State.FREE, position__lt=BEHIND).count()
    rate(human, who, left)
    assert of_system(human, 2).filter(state=Assignment.State.FREE).count() == behind, "the others came first"
    close_human_study(human_study=human, by=None)
    summary = summary_of(human)
    assert list(summary["settled"]) == [BETTER]
    report = make_report(study=study).content
    means = {row["name"]: row["human"]["meaning"]["mean"] for row in report["systems"]}
    assert means[BETTER] == pytest.approx(6)
    (better, same) = summary["compared"]
    assert (better["differs"], same["differs"]) == (True, False)


def test_once_all_are_judged_each_text_stands_for_itself(study):
    human, who = opened(study), make.person(study=study)
    rate(human, who, 95)
    settle_open_studies()
    human.refresh_from_db()
    assert human.draws["behind"]
    rate(human, who, 120)
    assert weights_of(human) == {}


@pytest.mark.parametrize(
    ("changed", "plan"), [({"looks": "once"}, {}), ({}, {"outputs_per_item": 0}), ({"proxy": "bleu"}, {})]
)
def test_a_plan_that_could_not_is_refused(study, changed, plan):
    plan = {"outputs_per_item": 1, **plan}
    with pytest.raises(UserError):
        plan_human_study(study=study, name="M", criteria=MEANING, comparison=COMPARISON | changed, **plan)


def test_a_closed_study_is_repeated_by_its_plan_with_other_people(study):
    lead, first_people = make.person(Role.RESEARCHER, study), make.person(study=study)
    first = opened(study, comparison={}, sampling="random", size=10, outputs_per_item=0)
    with pytest.raises(UserError, match="closed"):
        repeat_human_study(human_study=first, by=lead)
    rate(first, first_people, 10)
    close_human_study(human_study=first, by=lead)
    answer = as_person(lead).post(reverse("human_repeat", args=[study.slug, first.slug]))
    again = study.human_studies.get(repeats=first)
    assert answer.url.endswith(f"/{again.slug}/")
    open_human_study(human_study=again, by=lead)
    again.refresh_from_db()
    assert again.sentence_ids == first.sentence_ids
    campaign = again.campaigns.get()
    assert make.claim(campaign, first_people).work is None
    rate(again, make.person(study=study), 10)
    assert summary_of(again)["repeats"] is None
    close_human_study(human_study=again, by=lead)
    both = summary_of(again)["repeats"]
    assert both["slug"] == first.slug
    (criterion,) = both["criteria"]
    assert [row["cv"] for row in criterion["systems"]] == [0, 0, 0]
    assert criterion["same_order"] == pytest.approx(2 / 3) or criterion["same_order"] == 1
    page = as_person(lead).get(reverse("human_study", args=[study.slug, again.slug])).content.decode()
    assert "both-h" in page

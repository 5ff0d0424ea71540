"""A plan with a metric beside people that is decided at any moment: withheld until it closes, the same everywhere."""

import json

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as make

from accounts.permissions import Role
from corpora.models import Sentence, Study
from evaluation.actions.amend_human_study import amend_human_study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.any_looks import decision
from evaluation.human_studies.preregistration import protocol_deviations, summary_of
from evaluation.human_studies.preview import preview
from evaluation.models import ImportedMetric, MetricScore
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
MEANING = [{"name": "meaning", "scale": "meaning_6", "aspect": "meaning"}]
PROXY = "imported/COMET"
COMPARISON = {"baseline": make.SYSTEMS[0], "criterion": "meaning", "looks": "any", "proxy": PROXY}


def scored(study):
    """A metric from elsewhere that sees what people will say, less finely, of every source."""
    ImportedMetric.objects.create(study=study, number=1, name="COMET", higher_is_better=True, file_name="comet.csv")
    keys = list(Sentence.objects.filter(direction__study=study).order_by("number").values_list("pk", flat=True))
    for place, system in enumerate(study.systems.order_by("number")):
        packed = np.ones((len(keys), 2))
        scores = [0.4 + 0.2 * place + 0.05 * (n % 3) for n in range(len(keys))]
        packed[:, 0] = scores
        MetricScore.objects.create(
            system=system, metric=PROXY, key=f"k{place}", signature="COMET", corpus=sum(scores) / len(scores),
            sentence_ids=keys, sentences=scores, width=2, packed=packed.tobytes(),
        )  # fmt: skip


def rate(human, who, most=None):
    """One person's answers: the second system is better by 2 or 3 of 5."""
    campaign, done = human.campaigns.get(), 0
    while (most is None or done < most) and (work := make.claim(campaign, who).work):
        texts = [work.content["candidates"][one] for one in work.order]
        number = int(texts[0].split(" in manner")[0].split()[-1])
        values = [5 + (number % 3 == 0) if "manner 2" in text else 3 - (number % 5 == 0) for text in texts]
        make.hand_in(campaign, who, work, content={"ratings": [{"meaning": value} for value in values]}, seconds=9.0)
        done += 1
    return done


@pytest.fixture(scope="module")
def made_once(kept_for_the_file):
    made = make.study(items=60, systems=2)
    scored(made)
    return made.pk


@pytest.fixture
def study(made_once):
    return Study.objects.get(pk=made_once)


def opened(study, **plan):
    plan = {"criteria": MEANING, "judgements": 1, "comparison": COMPARISON, "sampling": "random", "size": 45, **plan}
    return open_human_study(human_study=plan_human_study(study=study, name="Meaning", **plan), by=None)


def page(who, name, *args):
    client = Client()
    client.force_login(who)
    return client.get(reverse(name, args=args)).content.decode()


def test_it_says_that_it_is_decided_and_nothing_of_the_systems_before_it_closes(study):
    lead, human = make.person(Role.RESEARCHER, study), opened(study)
    rate(human, make.person(study=study), most=4)
    summary = summary_of(human)
    assert summary["decision"] == {"decided": False, "after": None, "answers": 4, "planned": 45}
    assert summary["compared"] == []
    assert "Not decided after 4 of 45 answers" in page(lead, "human_study", study.slug, human.slug)
    rate(human, make.person(study=study), most=30)
    decided = summary_of(human)["decision"]
    assert decided["decided"]
    shown = page(lead, "human_study", study.slug, human.slug)
    assert f"Decided after {decided['after']} of 45 answers" in shown
    assert "compared-h" not in shown

    close_human_study(human_study=human, by=lead)
    report = make_report(study=study).content
    (told,) = report["human_studies"]
    assert told["decision"] == decided | {"answers": 34}
    (row,) = told["compared"]
    assert row["differs"]
    assert row["low"] >= 0  # to a step of the grid
    powered = row["with_metric"]["difference"]
    assert powered["n"] == 34
    assert powered["others"] == 26
    assert powered["high"] - powered["low"] <= powered["alone_high"] - powered["alone_low"]
    shown = page(lead, "human_study", study.slug, human.slug)
    assert "people and metric:" in shown or powered["undefined"]
    client = Client()
    client.force_login(lead)
    table = reverse("table_file", args=[study.slug, "main_comparisons", "latex"])
    assert f"decided after {decided['after']} of 45 answers" in client.get(table).content.decode()
    api = client.get(reverse("api:human-detail", args=[study.slug, human.slug])).json()
    assert api["summary"]["decision"] == told["decision"]
    assert json.loads(json.dumps(api["summary"]["compared"])) == told["compared"]


def test_the_moment_and_the_metric_are_frozen_with_the_plan(study):
    human = opened(study)
    assert human.frozen["rules"]["comparison"]["looks"] == "any"
    for changed in ({"looks": "once"}, {"proxy": ""}):
        with pytest.raises(UserError, match="frozen"):
            amend_human_study(human_study=human, comparison=COMPARISON | changed, by=None)
    assert not [said for said in protocol_deviations(human) if "main comparison" in said]


@pytest.mark.parametrize(
    ("changed", "said"),
    [({"proxy": "bleu"}, "no metric 'bleu'"), ({"criterion": "rank"}, "Ranks are compared once")],
)
def test_a_plan_names_a_metric_that_it_has_and_values_with_ends(study, changed, said):
    with pytest.raises(UserError, match=said):
        plan_human_study(study=study, name="M", criteria=MEANING, ranks=True, comparison=COMPARISON | changed)


def test_the_plan_says_what_each_metric_saves_once_people_have_judged(study):
    first = opened(study)
    assert preview(first, list(study.systems.all())).saved == []
    rate(first, make.person(study=study))
    close_human_study(human_study=first, by=None)
    make_report(study=study)
    ((name, label, share),) = preview(first, list(study.systems.all())).saved
    assert (name, label) == (PROXY, "COMET")
    assert 0 <= share <= 15 / 60


def test_sign_flips_decide_where_the_plan_says_so(study):
    human = opened(study, size=20, comparison={**COMPARISON, "proxy": "", "evidence": "sign_flips"})
    rate(human, make.person(Role.CROWD_ANNOTATOR, study))
    found = decision(human, [])
    human.plan_at_opening["rules"]["comparison"]["evidence"] = "betting"
    by_betting = decision(human, [])
    assert found.is_made
    assert found.compared[0].sequence.e != by_betting.compared[0].sequence.e
    with pytest.raises(UserError, match="frozen when the study opened"):
        amend_human_study(human_study=human, by=None, comparison={**COMPARISON, "proxy": "", "evidence": "betting"})

"""Attention checks count for no system and in no agreement, wherever judgements are counted or exported."""

import csv
import io
from random import Random
from uuid import uuid4

import krippendorff
import numpy as np
import pytest
from django.utils import timezone
from scipy.stats import spearmanr
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.actions.export_answers import export_answers
from annotation.attention_checks import AttentionChecks
from annotation.models import MachineRater
from annotation.review import work_of
from corpora.models import Output, System
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.preregistration import summary_of
from evaluation.human_studies.preview import preview, ratings_so_far
from evaluation.human_studies.workers import kept_checks
from foundation.text_keys import text_key
from jobs.models import Job

pytestmark = pytest.mark.django_db
FLUENCY = [{"name": "fluency", "scale": "fluency_5", "aspect": "fluency"}]
SOURCES, CHECKS, PEOPLE = 12, 6, 3


def varied_study():
    """Outputs that share few words, so that a broken one is no other source's output."""
    study, draws = make.study(items=SOURCES, systems=2), Random(0)  # noqa: S311
    for output in Output.objects.filter(system__study=study).order_by("pk"):
        output.text = " ".join("".join(draws.choices("abdegiklmnoprstu", k=5)) for _ in range(9))
        output.save()
    return study


def opened(on_a_page):
    """A human study of two systems with a check beside six of twelve sources; all three people see checks as bad."""
    every = SOURCES * 2 // max(on_a_page, 1) // CHECKS if on_a_page else SOURCES // CHECKS
    plan = plan_human_study(
        study=varied_study(), name="Checked", criteria=FLUENCY, judgements=PEOPLE,
        outputs_per_item=on_a_page, controls={"every": every, "kinds": ["broken"]}, shows_comparison=True,
    )  # fmt: skip
    human, given = open_human_study(human_study=plan, by=None), {}
    human.checks = {check.key for check in kept_checks(human)}
    human.people = [make.person(study=human.study) for _ in range(PEOPLE)]
    assert len(human.checks) == CHECKS
    for seed, who in enumerate(human.people):
        draws, campaign = Random(seed), human.campaigns.get()  # noqa: S311
        while work := make.claim(campaign, who).work:
            texts = [work.content["candidates"][place] for place in work.order]
            values = [1 if text_key(text) in human.checks else draws.randint(2, 5) for text in texts]
            content = {"ratings": [{"fluency": value} for value in values]}
            make.hand_in(campaign, who, work, content=content, seconds=9.0)
            given |= {(who.pk, text): value for text, value in zip(texts, values, strict=True)}
    human.given = given
    return human


@pytest.fixture
def human():
    return opened(0)


def alpha_of(table):
    return pytest.approx(krippendorff.alpha(np.array(table, dtype=float), level_of_measurement="ordinal"))


def ordinary(human):
    """(people, texts) of what was said of ordinary texts."""
    texts = sorted({text for _, text in human.given if text_key(text) not in human.checks})
    assert len(texts) == 2 * SOURCES
    return [[human.given[who.pk, text] for text in texts] for who in human.people]


def asked(human, path, **query):
    lead = as_person(make.person(Role.RESEARCHER, human.study))
    answer = lead.get(f"/{path.format(study=human.study.slug, campaign=human.campaigns.get().slug)}", query)
    assert answer.status_code == 200
    return answer


def exported(human, form="long", **options):
    _, chunks = export_answers(study=human.study, options={"format": form, **options})
    return list(csv.DictReader(io.StringIO(b"".join(chunks).decode(), newline="")))


def test_agreement_is_over_ordinary_texts_in_the_campaign_the_human_study_and_the_report(human):
    table = ordinary(human)
    (alpha,) = asked(human, "api/studies/{study}/campaigns/{campaign}/agreement/").json()["agreement"]["alphas"]
    assert (alpha["value"], alpha["units"]) == (alpha_of(table), 2 * SOURCES)
    everything = [[human.given[who.pk, text] for text in sorted({text for _, text in human.given})]
                  for who in human.people]  # fmt: skip
    assert alpha["value"] != alpha_of(everything), "the checks change it"

    close_human_study(human_study=human, by=None)
    report = make_report(study=human.study).content
    (found,) = [one for one in report["agreement"] if one["coefficient"] == "krippendorff_alpha"]
    assert (found["value"], found["items"]) == (pytest.approx(alpha["value"]), alpha["units"])
    by_hand = {
        str(who.pseudonym): spearmanr(own, np.mean([row for row in table if row is not own], axis=0)).statistic
        for who, own in zip(human.people, table, strict=True)
    }
    rows = summary_of(human)["workers"]
    assert sorted(row["agreement"] for row in rows) == pytest.approx(sorted(by_hand.values()))
    assert {row["controls"] for row in rows} == {CHECKS}, "the attention tests are of them"
    assert {row["answers"] for row in rows} == {SOURCES}


def test_an_agreement_that_was_measured_with_the_checks_is_not_shown(human):
    campaign = human.campaigns.get()
    old = {"people": [], "measures": [], "pairs": [], "alphas": [], "compared": 0, "drawn": 0}
    job = Job.objects.create(task="annotation.tasks.agreement", study_slug=human.study.slug, queued_at=timezone.now())
    run = campaign.agreement_runs.create(job=job, result=old, made_at=timezone.now())
    path = "api/studies/{study}/campaigns/{campaign}/agreement/"
    assert asked(human, path).json()["agreement"]["alphas"]
    run.result = {**old, "checks": CHECKS}
    run.save()
    assert asked(human, path).json()["agreement"]["alphas"] == []


def test_judgements_that_count_are_exported_without_them(human):
    answer = asked(human, "studies/{study}/export/", file="judgements")
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    assert len(rows) == PEOPLE * 2 * SOURCES
    assert not {text_key(row["text"]) for row in rows} & human.checks


@pytest.mark.parametrize("on_a_page", [0, 1])
def test_raw_answers_mark_them_and_those_that_count_are_without(on_a_page):
    human = opened(on_a_page)
    rows = exported(human)
    marked = [row for row in rows if text_key(row["text"]) in human.checks]
    assert len(marked) == PEOPLE * CHECKS
    assert {(row["role"], row["state"], row["counts"]) for row in marked} == {
        ("attention_check", "attention_check", "no")
    }  # fmt: skip
    others = [row for row in rows if row not in marked]
    assert {(row["role"], row["state"], row["counts"]) for row in others} == {("output", "standing", "yes")}
    assert exported(human, which="standing") == others

    alone = [row for row in exported(human, "wide") if row["state"] == "attention_check"]
    assert len(alone) == (PEOPLE * CHECKS if on_a_page else 0), "an answer about a check alone does not count"
    wide = exported(human, "wide", which="standing")
    assert not any("attention_check" in row.values() for row in wide)
    assert sum(bool(row[name]) for row in wide for name in row if name.startswith("fluency")) == PEOPLE * 2 * SOURCES


def test_a_text_that_a_system_wrote_later_is_that_system_s_everywhere(human):
    check = human.control_texts[0]
    system = System.objects.create(study=human.study, number=9, name="Later", origin="a test")
    Output.objects.create(system=system, sentence_id=check["sentence"], text=check["text"])
    close_human_study(human_study=human, by=None)
    (alpha,) = asked(human, "api/studies/{study}/campaigns/{campaign}/agreement/").json()["agreement"]["alphas"]
    assert alpha["units"] == 2 * SOURCES + 1
    roles = {row["role"]: row["systems"] for row in exported(human) if row["text"] == check["text"]}
    assert roles == {"output": "Later"}
    rows = {row["name"]: row["human"] for row in make_report(study=human.study).content["systems"]}
    assert rows["Later"]["fluency"]["n"] == PEOPLE


def test_ratings_of_checks_say_nothing_of_the_others_nor_of_the_spread_of_ratings(human):
    values = ratings_so_far(human.study, human.criteria)["fluency"]
    assert values == sorted(value for row in ordinary(human) for value in row)
    work = work_of(human.campaigns.get(), human.people[0].pk)
    compared = [rating for answer in work.answers for rating in answer.rated if rating.others]
    assert len(compared) == 2 * SOURCES
    assert sum(len(answer.rated) for answer in work.answers) == 2 * SOURCES + CHECKS


def test_a_machine_s_answers_to_the_same_items_have_them_too(human):
    of = human.campaigns.get()
    own = make.campaign(human.study, "rate", settings=of.settings, state="draft", name="its own")
    who = make.person()
    MachineRater.objects.create(campaign=own, of=of, person=who, name="m", prompt=uuid4().hex[:12])
    check = human.control_texts[0]
    checks = AttentionChecks([own.pk])
    assert len(checks) == CHECKS
    assert checks.has(own.pk, check["sentence"], check["text"])
    assert not checks.has(own.pk, check["sentence"], check["of_text"])


def test_a_rule_on_agreement_needs_enough_ordinary_texts():
    study = make.study(items=4, systems=2)
    plan = plan_human_study(
        study=study, name="Few", criteria=FLUENCY, judgements=2, controls={"every": 2, "kinds": ["broken"]},
        exclusions={"least_agreement": 0.2},
    )  # fmt: skip
    assert "The rule on agreement needs 10 texts, and there are 8." in preview(plan, list(plan.systems.all())).idle

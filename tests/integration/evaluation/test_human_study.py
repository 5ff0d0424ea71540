"""A human study from its plan to the report: planned, opened and judged over HTTP by simulated people."""

import json
from collections import defaultdict
from random import Random
from statistics import fmean
from uuid import uuid4

import pytest
from scipy.stats import mannwhitneyu
from support import campaigns as make

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from corpora.actions.add_sources import add_sources
from corpora.models import Output, System
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.delete_human_study import delete_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies import preview as previews
from evaluation.human_studies.plan_templates import PLAN_TEMPLATES
from evaluation.human_studies.preregistration import protocol_deviations
from evaluation.human_studies.preview import preview
from evaluation.human_studies.sample import draw_sample, material_of
from evaluation.human_studies.workers import kept_checks, screened
from evaluation.models import HumanStudy
from evaluation.scoring import training_material_of as metric_material
from evaluation.snapshot_builder.build import read_study
from evaluation.views.human import rows_of
from foundation.errors import UserError
from foundation.text_keys import text_key

pytestmark = pytest.mark.django_db
ITEMS, EVERY = 24, 3
CRITERIA = [
    {"name": "fluency", "scale": "fluency_5", "aspect": "fluency"},
    {"name": "meaning", "scale": "meaning_6", "aspect": "meaning", "beside": "source"},
]


class Person:
    """Somebody who asks the API with a token of theirs."""

    def __init__(self, client, study, role):
        self.who = make.person(role, study)
        _, secret = make_token(person=self.who, name="test", scopes=["read", "write", "annotate"], days=1)
        self.client, self.headers = client, {"Authorization": f"Token {secret}"}
        self.base = f"/api/studies/{study.slug}/"

    def ask(self, method, path, body=None, status=200):
        answer = self.client.generic(
            method, self.base + path, json.dumps(body or {}), content_type="application/json", headers=self.headers
        )
        assert answer.status_code == status, answer.content
        return answer.json() if answer.content else None

    def rate_all(self, campaign, judge):
        """Rate every page of a campaign: `judge(text)` gives the ratings. What was given, by text."""
        given = {}

        def rate(item):
            texts = [row["text"] for row in item["groups"][0]["rows"]]
            ratings = [judge(text) for text in texts]
            given.update(zip(texts, ratings, strict=True))
            return {"ratings": ratings}

        self.answer_all(campaign, rate)
        return given

    def answer_all(self, campaign, answer, seconds=12.0):
        """Answer every page of a campaign by `answer(item)`."""
        claim = self.ask("POST", f"campaigns/{campaign}/next/")
        while work := claim["work"]:
            held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4()), "seconds": seconds}
            said = {**held, "content": answer(work["item"])}
            make.time_passes(seconds)
            claim = self.ask("POST", f"campaigns/{campaign}/answers/", said)["next"]


def varied_study():
    """Two systems whose outputs share few words, so that no broken text is an output of another source."""
    study = make.study(items=ITEMS, systems=2)
    draws = Random(0)  # noqa: S311
    for output in Output.objects.filter(system__study=study).order_by("pk"):
        words = [f"{draws.choice('bcdfglmnprst')}{draws.choice('aeiou')}{draws.choice('bdlmnrst')}" for _ in range(9)]
        output.text = f"You should see {' '.join(words)} {output.system.number}."
        output.save()
    return study


def careful(study, seed):
    """Knows the systems' texts by their quality, and everything else is bad."""
    draws = Random(seed)  # noqa: S311
    good = {text_key(text): number for text, number in Output.objects.filter(system__study=study).values_list(
        "text", "system__number")}  # fmt: skip

    def judge(text):
        level = {1: 2, 2: 4}.get(good.get(text_key(text)), 1)
        return {"fluency": level + draws.choice([0, 1]), "meaning": level + draws.choice([0, 1])}

    return judge


def random_clicker(seed):
    draws = Random(seed)  # noqa: S311
    return lambda text: {"fluency": draws.randint(1, 5), "meaning": draws.randint(1, 6)}


def test_a_human_study_is_opened_rated_and_reported(client):
    study = varied_study()
    lead = Person(client, study, Role.RESEARCHER)
    plan = {
        "name": "Which is better?", "criteria": CRITERIA, "judgements": 4,
        "controls": {"every": EVERY, "kinds": ["broken", "flipped"]}, "use_controls": True,
        "costs": {"seconds": 5, "pay": {"currency": "EUR", "hour": 12}},
        "comparison": {"baseline": make.SYSTEMS[0], "criterion": "meaning"}, "shows_comparison": True,
    }  # fmt: skip
    made = lead.ask("POST", "human-studies/", plan, 201)
    texts = 2 * ITEMS + ITEMS // EVERY
    assert made["cost"]["judgements"] == texts * 2 * 4
    assert made["cost"]["money"] == pytest.approx(texts * 2 * 4 * 5 / 3600 * 12)
    assert made["cost"]["detected"][1]["difference"] > 0
    assert made["exclusions"] == {"control_p": 0.05}  # they are to be used, and nothing else says how

    opened = lead.ask("POST", f"human-studies/{made['slug']}/open/")
    assert (opened["state"], opened["control_texts"], len(opened["campaigns"])) == ("open", ITEMS // EVERY, 1)
    kept = HumanStudy.objects.get(study=study)
    assert not any(text["text"] in json.dumps(opened) for text in kept.control_texts)  # nobody is told

    judges = [careful(study, 1), careful(study, 2), careful(study, 3), random_clicker(8)]
    people = [Person(client, study, Role.CROWD_ANNOTATOR) for _ in judges]
    campaign = opened["campaigns"][0]
    given = [one.rate_all(campaign, judge) for one, judge in zip(people, judges, strict=True)]

    clicker = str(people[3].who.pseudonym)
    assert set(screened(study)[0]) == {clicker}
    tests = screened(study)[1]
    controls = {check.key for check in kept_checks(kept)}
    for person, ratings in zip(people, given, strict=True):
        found = tests[str(person.who.pseudonym)]
        assert (found.p <= 0.05) == (person is not people[3])
        assert sum(text_key(text) in controls for text in ratings) == ITEMS // EVERY

    stored = make_report(study=study)
    report = stored.content
    assert next(iter(report["leaderboard"]["criteria"])) == "fluency"
    assert report["leaderboard"]["main"] == ["meaning"], "which the frozen plan compares by"
    assert len(report["raters"]["left_out"]) == 1
    assert not any(str(one.who.pseudonym) in stored.text + stored.tables for one in people)  # it is handed on
    for system in System.objects.filter(study=study):
        of_system = set(system.outputs.values_list("text", flat=True))
        for criterion in ("fluency", "meaning"):
            values = [row[criterion] for ratings in given for text, row in ratings.items() if text in of_system]
            row = next(one for one in report["systems"] if one["name"] == system.name)["variants"]["raw"][criterion]
            assert row["n"] == len(values) == 4 * ITEMS
            assert row["mean"] == pytest.approx(fmean(values))

    (told,) = report["human_studies"]
    assert (told["sha256"], told["departures"]) == (opened["frozen"]["sha256"], [])
    out = {one["worker"] for one in told["workers"] if one["left_out"]}
    assert out == {one["rater"] for one in report["raters"]["left_out"]}, "one number a person in all of a report"
    tested = [one["control_test"]["p"] for one in told["workers"]]
    assert sorted(tested) == sorted(tests[str(one.who.pseudonym)].p for one in people)

    closed = lead.ask("POST", f"human-studies/{made['slug']}/close/")
    assert (closed["state"], closed["departures"]) == ("closed", [])
    summary = closed["summary"]
    assert summary["answers"] == summary["planned"]["answers"] == 4 * ITEMS
    assert [bool(one["left_out"]) for one in summary["workers"]].count(True) == 1
    (compared,) = summary["compared"]
    second = set(Output.objects.filter(system__study=study, system__number=2).values_list("text", flat=True))
    kept_values = [row["meaning"] for ratings in given[:3] for text, row in ratings.items() if text in second]
    assert compared["mean"] == pytest.approx(fmean(kept_values))
    assert compared["difference"] == pytest.approx(compared["mean"] - compared["baseline"]), (
        "not Wilcoxon's sum of ranks"
    )
    assert compared["differs"] is True


def test_the_control_test_is_mann_whitneys_on_one_criterion(client):
    study = varied_study()
    plan = plan_human_study(study=study, name="One", criteria=CRITERIA[:1], judgements=1,
                            controls={"every": 2, "kinds": ["broken"]})  # fmt: skip
    opened = open_human_study(human_study=plan, by=None)
    rater = Person(client, study, Role.CROWD_ANNOTATOR)
    draws = Random(7)  # noqa: S311
    given = rater.rate_all(opened.campaigns.get().slug, lambda text: {"fluency": draws.randint(1, 5)})
    controls = {check.key for check in kept_checks(opened)}
    by_kind = defaultdict(list)
    for text, row in given.items():
        by_kind[text_key(text) in controls].append(row["fluency"])
    found = screened(study)[1][str(rater.who.pseudonym)]
    u = mannwhitneyu(by_kind[True], by_kind[False], alternative="less")
    assert found.statistic == u.statistic
    assert screened(study)[0] == {}  # it is shown, and nobody is left out for it


def test_where_texts_are_ranked_the_quick_are_left_out_too(client):
    study = make.study(items=5, systems=2)
    lead = Person(client, study, Role.RESEARCHER)
    made = lead.ask("POST", "human-studies/", {
        "name": "Order", "ranks": True, "best_worst": True, "judgements": 3, "exclusions": {"least_seconds": 5},
        "rate_source": True,
        "comparison": {"baseline": make.SYSTEMS[0], "criterion": "rank"},
    }, 201)  # fmt: skip
    assert made["cost"]["judgements"] == (3 + 2) * 5 * 3  # a place for each text; a best and a worst
    assert [(one["criterion"], one["undefined"][:68]) for one in made["cost"]["detected"]] == [
        (criterion, "No difference could ever be significant: with 5 sentences the least ")
        for criterion in ("rank", "best_worst")
    ]
    opened = lead.ask("POST", f"human-studies/{made['slug']}/open/")

    def source_first(item):
        places = [1 + ("manner 2" in row["text"]) + 2 * ("manner 1" in row["text"]) for row in item["rows"]]
        return {"ranks": places} if "ranks" in item else {
            "best": 1 + places.index(1), "worst": 1 + places.index(3)}  # fmt: skip

    def all_alike(item):
        return {"ranks": [1, 1, 1]} if "ranks" in item else {"best": 1, "worst": 2}

    for answer, seconds in ((source_first, 12.0), (source_first, 12.0), (all_alike, 1.0)):
        rater = Person(client, study, Role.CROWD_ANNOTATOR)
        for campaign in opened["campaigns"]:
            rater.answer_all(campaign, answer, seconds)
    summary = lead.ask("POST", f"human-studies/{made['slug']}/close/")["summary"]
    assert sorted((one["answers"], one["left_out"][:25]) for one in summary["workers"]) == [
        (10, ""), (10, ""), (10, "The median answer took 1."),
    ]  # fmt: skip
    (compared,) = summary["compared"]
    assert (compared["mean"], compared["baseline"]) == (2, 3), "places among all that was ranked, as in the report"
    assert (compared["win_rate"]["mean"], compared["win_rate"]["n"]) == (1, 10), "two people put it above five times"
    report = make_report(study=study)
    table = report.tables_and_figures["main_comparisons"]["made"]
    assert table["rows"][0][table["head"].index("Win rate")]["text"] == "1.000"
    assert table["notes"][0].startswith("Win rate: how often a person put the system above the baseline")
    rows = report.content["systems"]
    told = {row["name"]: row["variants"]["filtered"]["rank"]["mean"] for row in rows}
    assert told == {make.SYSTEMS[0]: 3, make.SYSTEMS[1]: 2, "Source": 1}


def test_gyafc_s_design_judges_the_source_by_itself_and_ranks_it_nowhere():
    """Its section 5.1: 500 random sentences, five people; the source has no meaning and no place in the ranking."""
    study = make.study(items=6, systems=2)
    plan = plan_human_study(study=study, name="GYAFC", **PLAN_TEMPLATES["gyafc"].fields)
    assert (plan.sampling, plan.size, plan.judgements) == ("random", 500, 5)
    opened = open_human_study(human_study=plan, by=None)
    sources = set(study.directions.get().sentences.values_list("text", flat=True))
    by_kind = {campaign.task_type: list(campaign.items.all()) for campaign in opened.campaigns.all()}
    assert not [item for item in by_kind["rank"] if sources & set(item.content["candidates"])]
    alone = [item for item in by_kind["rate"] if sources & set(item.content["candidates"])]
    assert len(alone) == 6
    assert {tuple(item.content["criteria"]) for item in alone} == {("formality", "fluency")}


def test_an_output_that_is_the_source_is_judged_as_the_output_alone(client):
    """Copies are rated for meaning and ranked: the source had three places then, of the sentences that were copied."""
    study = make.study(items=6, systems=2)
    for output in Output.objects.filter(system__name=make.SYSTEMS[0], sentence__number__lte=3):
        output.text = output.sentence.text
        output.save()
    plan = plan_human_study(study=study, name="GYAFC", **{**PLAN_TEMPLATES["gyafc"].fields, "judgements": 1})
    opened = open_human_study(human_study=plan, by=None)
    rater = Person(client, study, Role.CROWD_ANNOTATOR)

    def said(item):
        if "ranks" in item:
            return {"ranks": list(range(1, len(item["rows"]) + 1))}
        asked = [criterion["name"] for group in item["groups"] for criterion in group["criteria"]]
        return {"ratings": [dict.fromkeys(asked, 2) for _ in item["groups"][0]["rows"]]}

    for campaign in opened.campaigns.order_by("pk"):
        rater.answer_all(campaign.slug, said, 12.0)
    close_human_study(human_study=opened, by=None)
    rows = {row["name"]: row["human"] for row in make_report(study=study).content["systems"]}
    assert {name: of["n"] for name, of in rows["Source"].items() if of["n"]} == {"formality": 6, "fluency": 6}
    assert rows[make.SYSTEMS[0]]["meaning"]["n"] == rows[make.SYSTEMS[0]]["rank"]["n"] == 6


def test_fu_s_design_has_200_pairs_and_three_people():
    study = make.study(items=2, systems=1)
    plan = plan_human_study(study=study, name="Fu", **PLAN_TEMPLATES["fu"].fields)
    assert (plan.sampling, plan.size, plan.judgements) == ("random", 200, 3)


def test_what_departs_from_the_frozen_plan_is_named(client):
    study = make.study(items=5, systems=2)
    plan = plan_human_study(study=study, name="Plan", criteria=CRITERIA[:1], judgements=2)
    opened = open_human_study(human_study=plan, by=None)
    assert protocol_deviations(opened) == ["The study is not over: it has 0 of 10 planned answers."]
    edit_campaign(campaign=opened.campaigns.get(), by=None, eligibility={"per_day": 5})
    Output.objects.filter(system__study=study, system__name=make.SYSTEMS[1]).update(text="Another text.")
    System.objects.create(study=study, number=9, name="Later", origin="a test")
    lead = Person(client, study, Role.RESEARCHER)
    amended = {"exclusions": {"least_seconds": 2}, "comparison": {"baseline": make.SYSTEMS[0], "criterion": "fluency"}}
    said = lead.ask("POST", f"human-studies/{opened.slug}/amend/", amended)
    stated = " ".join(said["departures"])
    for words in (
        "exclusion were none",
        "at least 2 seconds",
        "eligibility rules",
        "Outputs of",
        "Later was added",
        "was not planned",
    ):
        assert words in stated
    assert said["frozen"]["rules"]["exclusions"] == {}
    for act, body in (("open", {}), ("amend", {"exclusions": {"no such rule": 1}})):
        lead.ask("POST", f"human-studies/{opened.slug}/{act}/", body, 400)
    lead.ask("DELETE", f"human-studies/{opened.slug}/", status=400)
    close_human_study(human_study=opened, by=None)
    set_campaign_state(campaign=opened.campaigns.get(), state="open", by=None)
    assert any("was opened again" in said for said in protocol_deviations(opened))


def test_a_draft_is_changed_and_deleted(client):
    study = make.study(items=4, systems=2)
    lead = Person(client, study, Role.RESEARCHER)
    made = lead.ask("POST", "human-studies/", {"name": "Draft", "criteria": CRITERIA, "guideline": "Read."}, 201)
    named = {"systems": [make.SYSTEMS[1]], "judgements": 5, "direction": "informal-formal"}
    changed = lead.ask("PATCH", f"human-studies/{made['slug']}/", named)
    assert {key: changed[key] for key in named} == named
    assert (changed["guideline"], changed["criteria"]) == ("Read.", made["criteria"])
    assert lead.ask("GET", "human-studies/")["results"][0]["slug"] == made["slug"]
    lead.ask("DELETE", f"human-studies/{made['slug']}/", status=204)
    assert lead.ask("GET", "human-studies/")["count"] == 0


def test_a_plan_that_was_read_before_the_opening_changes_nothing_after_it():
    study = make.study(items=4, systems=2)
    plan = plan_human_study(study=study, name="Plan", criteria=CRITERIA[:1], judgements=2)
    stale, gone = HumanStudy.objects.get(pk=plan.pk), plan_human_study(study=study, name="Gone", criteria=CRITERIA[:1])
    open_human_study(human_study=plan, by=None)
    with pytest.raises(UserError, match="its plan is frozen"):
        plan_human_study(study=study, human_study=stale, judgements=3)
    kept = HumanStudy.objects.get(pk=plan.pk)
    assert (kept.state, kept.judgements, bool(kept.frozen)) == ("open", 2, True)
    read = HumanStudy.objects.get(pk=gone.pk)
    delete_human_study(human_study=gone, by=None)
    with pytest.raises(UserError, match="deleted"):
        plan_human_study(study=study, human_study=read, judgements=3)
    assert list(study.human_studies.values_list("name", flat=True)) == ["Plan"]


def test_a_sample_is_drawn_by_its_seed_and_evenly_over_lengths():
    study = make.study(items=0)
    direction = study.directions.get()
    add_sources(direction=direction, texts=[" ".join([f"w{n}"] * (n + 1)) for n in range(40)])
    plan = plan_human_study(study=study, name="Texts alone", systems=[], rate_source=True, criteria=CRITERIA[:1],
                            sampling="length", size=10, seed=3)  # fmt: skip
    sample = draw_sample(plan, material_of(plan, []))
    lengths = [len(one.source.split()) for one in sample]
    assert [(length - 1) // 4 for length in lengths] == list(range(10))  # one of each tenth
    assert draw_sample(plan, material_of(plan, [])) == sample
    assert preview(plan, []).cost.judgements == 30
    opened = open_human_study(human_study=plan, by=None)
    assert opened.sentence_ids == [one.sentence_id for one in sample]


def test_texts_are_rated_without_any_system_and_train_the_formality_metric(client):
    study = make.study(items=30)
    lead, rater = (Person(client, study, role) for role in (Role.RESEARCHER, Role.CROWD_ANNOTATOR))
    plan = {
        "name": "Texts alone", "systems": [], "rate_source": True, "judgements": 1,
        "criteria": [{"name": "formality", "scale": "formality_7"}], "controls": {"every": 5, "kinds": ["broken"]},
    }  # fmt: skip
    lead.ask("POST", "metric-runs/", status=400)  # there is nothing to report yet
    made = lead.ask("POST", "human-studies/", plan, 201)
    opened = lead.ask("POST", f"human-studies/{made['slug']}/open/")
    given = rater.rate_all(opened["campaigns"][0], lambda text: {"formality": len(text) % 4 - 2})
    lead.ask("POST", "metric-runs/", status=201)
    (row,) = make_report(study=study).content["systems"]
    sources = set(study.directions.get().sentences.values_list("text", flat=True))
    values = [value["formality"] for text, value in given.items() if text in sources]
    assert (row["role"], row["human"]["formality"]["n"]) == ("source", 30)
    assert row["human"]["formality"]["mean"] == pytest.approx(fmean(values))
    rated = dict(metric_material(study, read_study(study)).rated["style"])
    assert rated == {text: given[text]["formality"] for text in sources}  # no attention check among them


def test_a_plan_that_does_not_fit_is_refused():
    study = make.study(items=2, systems=1)
    for wrong, where in (
        ({"criteria": []}, "criteria"),
        ({"systems": []}, "systems"),
        ({"sampling": "random"}, "size"),
        ({"use_controls": True}, "use_controls"),
        ({"comparison": {"baseline": "Nobody", "criterion": "fluency"}}, "comparison.baseline"),
        ({"exclusions": {"control_p": 3}}, "exclusions.control_p"),
        ({"controls": {"kinds": ["no"]}}, "controls.kinds"),
    ):
        with pytest.raises(UserError) as refused:
            plan_human_study(study=study, **{"name": "Plan", "criteria": CRITERIA[:1], **wrong})
        assert refused.value.where == where
    assert not study.human_studies.exists()


def test_each_template_makes_a_plan_and_names_its_kind():
    study = make.study(items=3, systems=2)
    kinds = [one.kind for one in PLAN_TEMPLATES.values() if one.kind]
    assert kinds == ["Formality", "Simplification", "Detoxification", "Clinical language"]
    for name, one in PLAN_TEMPLATES.items():
        assert plan_human_study(study=study, name=name, **one.fields).judgements >= 1


def test_the_table_of_a_plan_says_all_that_the_form_asks():
    study = make.study(items=3, systems=2)
    costs = {"seconds": 9.0, "pay": {"hour": 12, "currency": "EUR"}}
    fields = {**PLAN_TEMPLATES["gyafc"].fields, "guideline": "Be careful.", "costs": costs}
    rows = dict(rows_of(plan_human_study(study=study, name="Whole", **fields)))
    assert rows["Guideline"] == "<bdi>Be careful.</bdi>"
    assert rows["Time and pay"] == "9 seconds per judgement; 12 EUR an hour"
    assert "beside it: the source" in rows["Criteria"]
    assert "aspect: meaning" in rows["Criteria"]


def test_the_box_of_the_cost_names_faults_and_warnings(client):
    study = make.study(items=3, systems=2)
    type(study).objects.filter(pk=study.pk).update(styles=["technical", "plain"])
    client.force_login(make.person(Role.RESEARCHER, study))
    address = f"/studies/{study.slug}/human/preview/"
    row = {"criteria-TOTAL_FORMS": "1", "criteria-INITIAL_FORMS": "0", "criteria-0-name": "formality",
           "criteria-0-scale": "formality_7", "criteria-0-beside": "nothing"}  # fmt: skip
    form = {
        "systems": [one.pk for one in study.systems.all()],
        "sampling": "all",
        "seed": "1",
        "judgements": "x",
        **row,
    }
    wrong = client.post(address, form).content.decode()
    assert '<a href="#id_judgements">People per output</a>' in wrong
    said = client.post(address, {**form, "judgements": "2", "every": "10"}).content.decode()
    assert "informal to formal, which are not styles of this study" in said


@pytest.mark.parametrize(("page", "status", "simulations"), [("the page", 204, 1), ("another page", 200, 2)])
def test_a_preview_that_a_newer_one_of_its_page_replaces_stops_on_the_way(
    client, monkeypatch, page, status, simulations
):
    study = make.study(items=6, systems=2)
    client.force_login(make.person(Role.RESEARCHER, study))
    address, simulated = f"/studies/{study.slug}/human/preview/", []
    form = {
        "systems": [one.pk for one in study.systems.all()], "sampling": "all", "seed": "1", "judgements": "2",
        "every": "10", "criteria-TOTAL_FORMS": "2", "criteria-INITIAL_FORMS": "0", "csrfmiddlewaretoken": "the page",
        "criteria-0-name": "fluency", "criteria-0-scale": "fluency_5", "criteria-0-beside": "nothing",
        "criteria-1-name": "meaning", "criteria-1-scale": "meaning_6", "criteria-1-beside": "source",
    }  # fmt: skip

    def simulate(*asked):
        simulated.append(asked)
        if len(simulated) == 1:  # the next comes while it is under way, and is soon told what it lacks
            assert client.post(address, {"csrfmiddlewaretoken": page}).status_code == 200
        return 0.5, ""

    monkeypatch.setattr(previews, "_found", simulate)
    assert client.post(address, form).status_code == status
    assert len(simulated) == simulations


def test_a_template_takes_the_scale_that_the_study_has_for_a_criterion(client):
    study = make.study(items=3, systems=2)
    study.criteria.create(number=1, name="meaning", scale="meaning_6", aspect="meaning", beside="source")
    client.force_login(make.person(Role.RESEARCHER, study))
    page = client.get(f"/studies/{study.slug}/human/new/?preset=detoxification")
    scales = {row["name"]: row["scale"] for row in page.context["form"].criteria.initial}
    assert scales == {"style": "likert_5", "fluency": "fluency_5", "meaning": "meaning_6"}

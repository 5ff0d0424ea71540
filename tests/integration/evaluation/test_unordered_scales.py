"""A criterion whose levels have no order is judged, agreed on and exported, and has no mean anywhere."""

import pytest
from support import campaigns as make

from accounts.permissions import Role
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.make_report import make_report
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.drilldown import rows_behind
from evaluation.human_studies.preview import preview
from evaluation.snapshot import UNORDERED
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
TOPIC = "topic | nominal | 1 Sport | 2 News | 3 Other"
CRITERIA = {"topic": {"scale": TOPIC}, "fluency": {"scale": "fluency_5"}}


@pytest.fixture
def study():
    """Two people judge the outputs of two systems on both criteria."""
    made = make.study(items=6, systems=2, references=1)
    campaign = make.campaign(made, "rate", settings={"criteria": CRITERIA}, overlap=2)
    for shift in range(2):
        rater = make.person(study=made)
        while work := make.claim(campaign, rater).work:
            values = [{"topic": 1 + (work.number + at) % 3, "fluency": 1 + (work.number + at + shift) % 5}
                      for at in range(len(work.content["candidates"]))]  # fmt: skip
            make.hand_in(campaign, rater, work, content={"ratings": values})
    return made


def test_the_report_says_why_it_has_no_mean(study):
    choose_metrics(study=study, metrics={"bleu": {}, "pinc": {}})
    choose_report(study=study, joint=["J = product by sentence: topic, fluency"])
    report = make_report(study=study)
    content = report.content
    for system in content["systems"]:
        assert system["human"]["topic"] == {"mean": None, "low": None, "high": None, "n": 12, "undefined": UNORDERED}
        assert all(of["topic"]["mean"] is None for of in system["variants"].values())
        assert system["human"]["fluency"]["mean"] is not None
    boards = content["leaderboard"]
    assert list(boards["criteria"]) == ["fluency"]
    assert boards["joint"]["J"]["undefined"] == "The levels of 'topic' have no order."
    assert {row["criterion"] for row in content["correlations"]} == {"fluency"}
    assert list(content["trust"]["criteria"]) == ["fluency"]
    alphas = {row["criterion"] for row in content["agreement"] if row["coefficient"] == "krippendorff_alpha"}
    assert alphas == {"topic", "fluency"}, "people may agree on it"
    with pytest.raises(UserError, match="have no order"):
        rows_behind(study, {"system": make.SYSTEMS[0], "criterion": "topic"})


def test_its_pages_and_api_show_no_number_of_it(study, client):
    make_report(study=study)
    client.force_login(make.person(Role.RESEARCHER, study))
    for path in ("report/", "report/tables/", "report/trust/", "report/compare/", "report/raters/"):
        assert client.get(f"/studies/{study.slug}/{path}").status_code == 200
    asked = f"first={make.SYSTEMS[0]}&second={make.SYSTEMS[1]}"
    compared = client.get(f"/api/studies/{study.slug}/comparison/?{asked}").json()
    assert {one["key"] for one in compared["head_to_head"] if one["judged"]} == {"criterion:fluency"}
    assert UNORDERED in client.get(f"/studies/{study.slug}/report/tables/systems/").content.decode().replace(
        "&#x27;", "'"
    )


def test_a_plan_compares_no_systems_by_it(study):
    lead = make.person(Role.RESEARCHER, study)
    criteria = [{"name": "topic", "scale": TOPIC}]
    comparison = {"baseline": make.SYSTEMS[0], "criterion": "topic"}
    with pytest.raises(UserError, match="no means to compare"):
        plan_human_study(study=study, by=lead, name="Topics", criteria=criteria, comparison=comparison)
    plan = plan_human_study(study=study, by=lead, name="Topics", criteria=criteria)
    (detected,) = preview(plan, list(plan.systems.all())).detected
    assert (detected.difference, detected.undefined) == (None, UNORDERED)

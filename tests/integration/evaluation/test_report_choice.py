"""What a researcher chooses for the report: the baseline, the level, the correction, and which judgements lead."""

import pytest
from support import campaigns

from evaluation.actions.choose_report import choose_report
from evaluation.actions.make_report import make_report
from evaluation.models import ReportChoice
from evaluation.report_freshness import report_key
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return campaigns.study(items=2, systems=2, references=1)


def test_a_choice_is_kept_and_makes_the_report_out_of_date(study):
    before = report_key(study)
    chosen = study.systems.last()
    choose_report(study=study, baseline=chosen, alpha=0.01, correction="benjamini_hochberg", variant="z")
    choose_report(study=study, baseline=chosen, alpha=0.001)
    made = ReportChoice.objects.get(study=study)
    assert (made.baseline, made.alpha, made.correction, made.variant) == (chosen, 0.001, "holm", "filtered")
    assert report_key(study) != before


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"alpha": 0.9}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"correction": "bonferoni"}, "correction"),
        ({"variant": "best"}, "variant"),
        ({"averaging": "rater"}, "averaging"),
        ({"joint": ["J: style, fluency"]}, "joint"),
        ({"joint": ["J = product by sentence: style"]}, "joint"),
        ({"joint": ["J = mean of means: a, b", "J = product of means: a, b"]}, "joint"),
    ],
)
def test_what_cannot_be_chosen_is_said(study, wrong, where):
    with pytest.raises(UserError) as error:
        choose_report(study=study, **wrong)
    assert error.value.where == where
    assert not ReportChoice.objects.exists()


def test_a_baseline_is_of_the_study(study):
    other = campaigns.study(items=1, systems=1, references=0)
    with pytest.raises(UserError, match="another study"):
        choose_report(study=study, baseline=other.systems.get())


def test_the_endpoint_names_the_baseline(client, study):
    client.force_login(campaigns.person(study=study, role="researcher"))
    address = f"/api/studies/{study.slug}/report-choice/"
    assert client.get(address).json() == {
        "baseline": None,
        "alpha": 0.05,
        "correction": "holm",
        "variant": "filtered",
        "split": "",
        "human_systems": False,
        "averaging": "sentence",
        "joint": [],
        "machines": [],
    }
    name = study.systems.last().name
    given = {
        "baseline": name,
        "alpha": 0.01,
        "correction": "none",
        "variant": "filtered",
        "split": "tune",
        "human_systems": True,
        "averaging": "judgement",
        "joint": ["J = product by sentence: style, fluency"],
        "machines": [],
    }
    assert client.put(address, given, content_type="application/json").json() == given
    refused = client.put(address, {"split": "dev"}, content_type="application/json")
    assert (refused.status_code, "split" in refused.json()["detail"]) == (400, True)
    refused = client.put(address, {"baseline": "Nobody"}, content_type="application/json")
    assert (refused.status_code, refused.json()["detail"]) == (400, "baseline: The study has no system 'Nobody'.")


def test_peoples_own_systems_are_let_into_the_rankings_of_metrics(client, study):
    before = report_key(study)
    client.force_login(campaigns.person(study=study, role="researcher"))
    given = {"alpha": "0.05", "correction": "holm", "variant": "raw", "human_systems": "on"}
    assert client.post(f"/studies/{study.slug}/report/choice/", given).status_code in (200, 302)
    assert ReportChoice.objects.get(study=study).human_systems is True
    assert report_key(study) != before
    client.post(
        f"/studies/{study.slug}/report/choice/", {key: given[key] for key in ("alpha", "correction", "variant")}
    )
    assert ReportChoice.objects.get(study=study).human_systems is False


def test_the_page_takes_joint_scores_a_line_each_and_says_which_line_is_none(client, study):
    client.force_login(campaigns.person(study=study, role="researcher"))
    address = f"/studies/{study.slug}/report/choice/"
    given = {"alpha": "0.05", "correction": "holm", "variant": "raw", "averaging": "judgement"}
    before = report_key(study)
    lines = "J = product of means: a, b\n\nM=mean by sentence: a , b"
    assert client.post(address, given | {"joint": lines}).status_code == 302
    chosen = ReportChoice.objects.get(study=study)
    assert (chosen.averaging, chosen.joint) == (
        "judgement", ["J = product of means: a, b", "M = mean by sentence: a, b"],
    )  # fmt: skip
    assert report_key(study) != before
    make_report(study=study)
    refused = client.post(address, given | {"joint": "J = a * b"})
    assert refused.status_code == 422
    assert "&#x27;J = a * b&#x27; is not a joint score" in refused.content.decode()

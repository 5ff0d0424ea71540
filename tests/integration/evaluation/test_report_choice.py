"""What a researcher chooses for the report: the baseline, the level, the correction, and which judgements lead."""

import pytest
from support import campaigns

from evaluation.actions.choose_report import choose_report
from evaluation.models import ReportChoice
from evaluation.report_freshness.inputs import report_key
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
    assert (made.baseline, made.alpha, made.correction, made.variant) == (chosen, 0.001, "holm", "raw")
    assert report_key(study) != before


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"alpha": 0.9}, "alpha"),
        ({"alpha": float("nan")}, "alpha"),
        ({"correction": "bonferoni"}, "correction"),
        ({"variant": "best"}, "variant"),
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
        "variant": "raw",
        "split": "",
        "human_systems": False,
    }
    name = study.systems.last().name
    given = {
        "baseline": name,
        "alpha": 0.01,
        "correction": "none",
        "variant": "filtered",
        "split": "tune",
        "human_systems": True,
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

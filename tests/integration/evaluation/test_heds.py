"""The frozen plan as a Human Evaluation Datasheet: filled in where the plan settles it, the rest left to a person."""

import json

import pytest
from support import campaigns
from support.clients import as_person

from accounts.permissions import Role
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.human_studies.heds import heds
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
CRITERIA = [{"name": "meaning", "scale": "meaning_6", "aspect": "meaning", "beside": "source"},
            {"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"}]  # fmt: skip
DESIGN = "heds-sample_evaluators_design-experimental_design"
ELICITED = "heds-criteria-criterion-response_elicitation"


@pytest.fixture
def planned():
    study = campaigns.study(items=4, systems=2)
    study.language = "de-AT"
    study.save()
    return plan_human_study(
        study=study, name="Meaning", criteria=CRITERIA, judgements=3, guideline="Read both texts.",
        comparison={"baseline": campaigns.SYSTEMS[0], "criterion": "meaning"},
        costs={"pay": {"hour": 12, "currency": "EUR"}},
    )  # fmt: skip


def test_a_plan_that_is_not_frozen_has_no_datasheet(planned):
    with pytest.raises(UserError, match="is that of a frozen plan"):
        heds(planned)
    lead = campaigns.person(Role.RESEARCHER, planned.study)
    browser = as_person(lead)
    page = browser.get(f"/studies/{planned.study.slug}/human/{planned.slug}/heds/", follow=True)
    assert "open the human study first" in page.content.decode()


def test_the_plan_is_in_the_form_that_the_online_form_reads(planned):
    opened = open_human_study(human_study=planned, by=None)
    browser = as_person(campaigns.person(Role.RESEARCHER, planned.study))
    file = browser.get(f"/studies/{planned.study.slug}/human/{planned.slug}/heds/")
    assert file["Content-Disposition"] == f'attachment; filename="{planned.slug}-heds.json"'
    sheet = json.loads(file.content)
    assert sheet == browser.get(f"/api/studies/{planned.study.slug}/human-studies/{planned.slug}/heds/").json()
    told = {key: entry["data"] for key, entry in sheet.items() if key != "restyle"}
    assert told["heds-sample_evaluators_design-sample-number_of_system_outputs"] == {"": "8"}
    assert sheet["heds-system-output_languages-56"]["data"] == {"": True}  # German
    assert sheet["heds-sample_evaluators_design-evaluators-evaluators-payment-1"]["text"] == {
        "": "1. Paid (monetary compensation)"
    }
    assert told[f"{DESIGN}-what_evaluators_see-description"] == {"": "Read both texts."}
    assert sheet["heds-criteria-criterion"]["control"] == {"Fluency": True, "Meaning": False}
    assert told[f"{ELICITED}-size_of_scale"] == {"Meaning": "6", "Fluency": "5"}
    assert told["heds-criteria-criterion-criteria-self_vs_external_frame-2"] == {"Meaning": True}
    assert told["heds-criteria-criterion-criteria-self_vs_external_frame-1"] == {"Fluency": True}
    left = sheet["restyle"]["left_to_a_person"]
    assert {"1.3.1.1", "2.3", "4.1.1", "5.1", "5.2"} <= set(left)
    assert not {"3.1.1", "2.4", "3.2.2.2", "4.3.3"} & set(left)
    assert sheet["restyle"]["plan"] == opened.frozen["sha256"]
    assert {entry["data"][""] for key, entry in sheet.items() if key.endswith("-email")} == {""}

"""A study filled from a template: once, and changeable afterwards."""

import pytest

from annotation.actions.apply_template import apply_template
from annotation.actions.begin_study import begin_study
from annotation.actions.edit_campaign import edit_campaign
from annotation.study_templates import TEMPLATES
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("name", TEMPLATES.names())
def test_a_study_begins_with_all_stages_planned(name):
    template = TEMPLATES[name]
    study = begin_study(template=name, slug="ours", title="Ours")
    assert study.template == name
    assert [direction.name for direction in study.directions.order_by("number")] == template.direction_names
    assert list(study.criteria.values_list("name", flat=True)) == [criterion["name"] for criterion in template.criteria]
    campaigns = list(study.campaigns.order_by("pk"))
    assert [one.slug for one in campaigns] == [stage.slug for stage in template.stages]
    for campaign, stage in zip(campaigns, template.stages, strict=True):
        assert (campaign.state, campaign.size) == ("draft", 0)
        assert (campaign.after.slug if campaign.after else "") == stage.after
        assert (campaign.takes, campaign.overlap, campaign.needs_review) == (
            stage.takes, stage.overlap, stage.needs_review
        )  # fmt: skip
        assert (tuple(campaign.splits), tuple(campaign.reasons)) == (stage.splits, stage.reasons)
        assert campaign.eligibility.keys() == dict(stage.eligibility).keys()
        assert campaign.guidelines.get().text == template.guideline(stage)


def test_nothing_is_made_twice_and_what_was_changed_stays():
    study = begin_study(template="medlane", slug="notes", title="Notes")
    assert (study.restricted, study.required_credentials, study.terms_version) == (True, ["mimic-iii"], 1)
    edit_study(study=study, required_credentials=[], terms="", restricted=False)
    edit_campaign(campaign=study.campaigns.get(slug="check-train"), by=None, overlap=3, name="Three look at it")
    assert apply_template(study=study, template="medlane") == []
    study.refresh_from_db()
    assert (study.restricted, study.required_credentials, study.terms_version) == (False, [], 0)
    assert study.campaigns.count() == 6
    assert study.campaigns.get(slug="check-train").overlap == 3


def test_a_study_that_is_there_gets_what_it_lacks():
    study = create_study(slug="old", title="Old", styles=["expert", "lay"])
    made = apply_template(study=study, template="msd")
    assert [one.slug for one in made] == ["align", "verify"]
    assert study.styles == ["expert", "lay", "layman"]
    study.campaigns.get(slug="verify").delete()
    assert [one.slug for one in apply_template(study=study, template="msd")] == ["verify"]


def test_a_study_has_one_template():
    study = begin_study(template="msd", slug="ours", title="Ours")
    with pytest.raises(UserError, match="began from the template msd"):
        apply_template(study=study, template="plaba")
    with pytest.raises(UserError, match="did you mean plaba"):
        begin_study(template="plabba", slug="other", title="Other")

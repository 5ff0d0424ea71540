"""What cannot work in a study is not offered, or says so where it is chosen."""

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person
from support.documents import documents

from accounts.permissions import Role
from annotation.actions.create_campaign import create_campaign
from annotation.actions.start_release import start_release
from annotation.forms.campaign import CampaignForm
from annotation.forms.gold import ReleaseForm
from annotation.gold.release.settings import gold_formats, gold_kinds
from corpora.actions.add_direction import add_direction
from corpora.actions.create_study import create_study
from evaluation.views.metrics import MetricsForm
from foundation.errors import UserError
from jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return make.study(items=3)


def offered(study):
    return {name for name, _label in ReleaseForm(study=study).fields["forms"].choices}


def idle(campaign):
    return {row["name"]: row["idle"] for row in CampaignForm(study=campaign.study, campaign=campaign).checks.rows}


def test_a_release_offers_the_forms_that_can_hold_what_the_study_makes(study):
    every = {name for name, form in gold_formats().items() if not form.kinds}
    assert offered(study) == every, "nobody makes anything yet"
    written = make.campaign(study)
    make.campaign(study, "verify", after=written)
    assert gold_kinds(study) == {"rewrite"}
    assert offered(study) == every | {"gyafc", "msd"}


def test_a_form_that_holds_nothing_of_it_is_refused_before_a_job_is_queued(study):
    campaign, who = make.campaign(study), make.person(study=study)
    make.hand_in(campaign, who, make.held(campaign, who))
    said = "The format 'plaba' holds adapted abstracts, but the request is for rewrites."
    with pytest.raises(UserError, match=said):
        start_release(study=study, settings={"forms": ["jsonl", "plaba"]}, by=None)
    assert not Job.objects.filter(study_slug=study.slug).exists()


def test_a_metric_says_which_style_has_no_text_to_learn_from():
    bare = create_study(slug="bare", title="Bare", styles=["informal", "formal"])
    add_direction(study=bare, source_style="informal", target_style="formal")
    lacking = _lacking(bare)
    assert (
        lacking["style_accuracy"]
        == "The metric learns from texts of each style, and the study has none of: informal, formal."
    )
    half = make.study(items=2)
    assert _lacking(half)["transfer_strength"].endswith("none of: formal.")
    whole = make.study(items=2, references=1)
    assert (_lacking(whole)["style_accuracy"], _lacking(whole)["bleu"]) == ("", "")
    page = as_person(make.person(Role.RESEARCHER, half)).get(reverse("metrics_choose", args=[half.slug]))
    assert "none of: formal." in page.content.decode()


def _lacking(study):
    return {one["name"]: one["lacking"] for _label, group in MetricsForm(study=study).aspects() for one in group}


def test_a_quality_check_says_that_it_finds_nothing_in_such_work(study):
    documents(study)
    writes = idle(make.campaign(study))
    assert writes["copied_source"] == ""
    assert writes["gold_disagreement"] == "This kind of work has no ratings or choices."
    assert writes["control_items"] == "No item of this campaign is a control item."
    rated = make.study(items=2, systems=2)
    alone = idle(create_campaign(study=rated, name="Alone", task_type="rate"))
    assert alone["copied_source"] == "This kind of work has no written texts."
    assert alone["gold_disagreement"] == "One person does each item, so there are no other answers to compare."
    assert idle(create_campaign(study=rated, name="Two", task_type="rate", overlap=2))["gold_disagreement"] == ""
    lead = as_person(make.person(Role.RESEARCHER, study))
    campaign = study.campaigns.first()
    page = lead.get(reverse("campaign_edit", args=[study.slug, campaign.slug])).content.decode()
    assert "This kind of work has no ratings or choices. This check does not apply here." in page


def test_a_model_that_goes_in_no_direction_of_the_study_is_not_offered():
    other = create_study(slug="clinic", title="Clinic", styles=["expert", "layman"])
    add_direction(study=other, source_style="expert", target_style="layman")
    lead = as_person(make.person(Role.RESEARCHER, other))
    answer = lead.get(reverse("transfer_new", args=[other.slug]), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("study_models", args=[other.slug])
    assert "No model serves a direction of this study" in answer.content.decode()
    here = make.study(items=2)
    page = as_person(make.person(Role.RESEARCHER, here)).get(reverse("transfer_new", args=[here.slug]))
    assert "rule_based_formality" in page.content.decode()

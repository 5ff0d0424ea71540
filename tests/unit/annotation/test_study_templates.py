"""Each template speaks only of what is there, and tells its people what to do."""

import pytest

from annotation import annotator_pool as eligibility
from annotation.scales import SCALES
from annotation.study_templates import TEMPLATES
from annotation.study_templates._base import EVERYBODY
from annotation.task_types import TASK_TYPES
from corpora.formats import FORMATS, DocumentFormat
from corpora.selection_rules import SELECTIONS
from corpora.splits import validate_proportions

STAGES = [(name, stage) for name, template in TEMPLATES.items() for stage in template.stages]


def test_the_four_corpora_have_templates():
    assert {"gyafc", "medlane", "msd", "plaba"} <= set(TEMPLATES.names())
    assert [template.name for template in TEMPLATES.values()] == TEMPLATES.names()


@pytest.mark.parametrize(("name", "stage"), STAGES, ids=[f"{name} {stage.slug}" for name, stage in STAGES])
def test_a_stage_can_be_planned(name, stage):
    template = TEMPLATES[name]
    kind = TASK_TYPES[stage.task]
    kind.check_settings(stage.settings)
    eligibility.check(stage.eligibility)
    assert stage.direction in ["", *template.direction_names]
    assert set(stage.roles) <= set(EVERYBODY)
    earlier = [one.slug for one in template.stages[: template.stages.index(stage)]]
    assert stage.after in ["", *earlier]
    assert bool(stage.after) or kind.works_on != "stage"
    for rule in ("accepted", "acceptance_rate"):
        assert set(stage.eligibility.get(rule, {}).get("of", [])) <= set(earlier)


@pytest.mark.parametrize(("name", "stage"), STAGES, ids=[f"{name} {stage.slug}" for name, stage in STAGES])
def test_people_read_what_they_are_to_do(name, stage):
    text = TEMPLATES[name].guideline(stage)
    assert 400 < len(text) < 4000
    assert "**" not in text.replace("[**...**]", "")  # it is shown as it stands, line by line
    assert not text.startswith("#")


@pytest.mark.parametrize("name", TEMPLATES.names())
def test_a_template_names_what_there_is(name):
    template = TEMPLATES[name]
    assert all(isinstance(FORMATS[one], DocumentFormat) for one in template.documents.formats)
    assert set(template.documents.styles) <= set(template.styles)
    assert all(criterion["scale"] in SCALES for criterion in template.criteria)
    assert template.screening == "" or template.stage(template.screening).task == "screen"
    if template.selection:
        assert template.selection.direction in template.direction_names
        SELECTIONS[template.selection.rule].check_settings(template.selection.settings)
    if template.splits:
        validate_proportions(template.splits.proportions)
    if template.groups:
        assert {template.groups.source_style, template.groups.target_style} <= set(template.styles)


def test_expert_references_ask_for_all_of_more_than_a_hundred():
    asked = TEMPLATES["gyafc"].stage("formal-references").eligibility
    assert asked["accepted"] == {"least": 101, "of": ["formal-train"]}
    assert asked["acceptance_rate"] == {"least": 1.0, "of": ["formal-train"]}

"""Projects of five tools come in with their people, values and marks; people agree here as they do in the file."""

import krippendorff
import numpy as np
import pytest
from support import campaigns
from support.tool_projects import EXPORTS, ITEMS, PEOPLE, PLACES, RATED, text_of

from annotation.campaigns.fields import checked_settings
from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.imported_judgements.judgement_plan import guess_meanings, plan_import
from evaluation.marked_outputs import output_marks
from evaluation.models import Judgement
from evaluation.reporting.build import rater_agreement
from evaluation.reporting.kept_parts import KeptParts
from evaluation.snapshot_builder.build import build_snapshot
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
READ = {"aspect-label": "fluency", "numbers": "as_given"}


def matrix(value_of):
    """(people, texts) of values; NaN where somebody did not rate a text."""
    table = np.full((len(PEOPLE), ITEMS), np.nan)
    for one in RATED:
        table[PEOPLE.index(one.rater), one.number - 1] = value_of(one)
    return table


@pytest.mark.parametrize("tool", EXPORTS)
def test_people_agree_as_they_do_in_the_file(tool):
    export, study = EXPORTS[tool], campaigns.study(items=ITEMS, systems=1)
    major = f"{export.errors}_Major"
    scale = f"scale-{export.criterion}"
    with understand(TextFile(export.content(), export.name)) as table:
        mapping = guess_meanings(study, table, {})
        asked = plan_import(study, table, mapping, {}, {})
        assert asked.preset == tool
        assert {question.name for question in asked.open} >= {scale}
        assert "spans" in {question.name for question in asked.questions}
        assert not Judgement.objects.exists()  # the plan says what will become of the file, and stores nothing
        answers = {**READ, scale: "fluency_5", "spans": "penalties", "rejected": "leave_out"}
        names = {question.name for question in plan_import(study, table, mapping, {}, answers).questions}
        made = bring_in_judgements(
            study=study, table=table, mapping=mapping, settings={},
            answers={name: answer for name, answer in answers.items() if name in names},
        )  # fmt: skip
    rows = made.judgements.values_list("worker", "sentence__number", "criterion__name", "value")
    assert sorted(row for row in rows if row[2] == export.criterion) == sorted(
        (one.rater, one.number, export.criterion, float(one.value)) for one in RATED
    )
    if tool != "inception":  # whose files hold every sentence, whether or not somebody looked at it
        assert sorted(row for row in rows if row[2] == major) == sorted(
            (one.rater, one.number, major, -float(one.marks.count("Major"))) for one in RATED
        )
    found = {
        row["criterion"]: row["value"] for row in rater_agreement(build_snapshot(study), KeptParts())
        if row["coefficient"] == "krippendorff_alpha"
    }  # fmt: skip
    wanted = krippendorff.alpha(matrix(lambda one: one.value), level_of_measurement="ordinal")
    assert found[export.criterion] == pytest.approx(wanted, abs=1e-12)
    if tool != "inception":
        wanted = krippendorff.alpha(matrix(lambda one: -one.marks.count("Major")), level_of_measurement="ordinal")
        assert found[major] == pytest.approx(wanted, abs=1e-12)


def cost_of(one):
    """What MQM's weights say of a person's marks in a text."""
    return float(sum({"Major": -5, "Minor": -1}[label] for label in one.marks))


@pytest.mark.parametrize("tool", EXPORTS)
def test_marks_come_in_with_their_places_and_people_agree_on_them_as_in_the_file(tool):
    export, study = EXPORTS[tool], campaigns.study(items=ITEMS, systems=1)
    with understand(TextFile(export.content(), export.name)) as table:
        mapping = guess_meanings(study, table, {})
        answers = {**READ, f"scale-{export.criterion}": "fluency_5", "rejected": "leave_out"}
        names = {question.name for question in plan_import(study, table, mapping, {}, answers).questions}
        bring_in_judgements(
            study=study, table=table, mapping=mapping, settings={},
            answers={name: answer for name, answer in answers.items() if name in names},
        )  # fmt: skip
    found = {(one.rater, one.source): one for one in output_marks(study)}
    sentences = dict(study.directions.get().sentences.values_list("number", "text"))
    for one in RATED:
        marked = found[one.rater, sentences[one.number]]
        assert marked.systems == [campaigns.SYSTEMS[0]]
        assert [(mark["side"], marked.output[mark["start"] : mark["end"]], mark["severity"], mark["kind"])
                for mark in marked.marks] == [
            ("output", text_of(one.number)[start:end], label, "")
            for (start, end), label in zip(PLACES, one.marks, strict=False)
        ]  # fmt: skip
    if tool != "inception":
        assert len(found) == len(RATED)
        row = next(row for row in rater_agreement(build_snapshot(study), KeptParts())
                   if (row["criterion"], row["coefficient"]) == ("mqm", "krippendorff_alpha"))  # fmt: skip
        wanted = krippendorff.alpha(matrix(cost_of), level_of_measurement="ordinal")
        assert row["value"] == pytest.approx(wanted, abs=1e-12)
    asked = {one["name"] for one in checked_settings(study, "spans", {"taxonomy": "mqm"})["criteria"]}
    assert asked == {export.criterion}  # what the marks give by themselves is asked of nobody


def test_marks_without_a_severity_have_no_score_and_lost_ones_are_asked_about():
    study = campaigns.study(items=ITEMS, systems=1)
    kinds = EXPORTS["label_studio"].content().replace(b'"Major"', b'"Grammar"').replace(b'"Minor"', b'"Style"')
    with understand(TextFile(kinds, "project.json")) as table:
        mapping = guess_meanings(study, table, {})
        plan = plan_import(study, table, mapping, {}, {"scale-fluency": "fluency_5"})
        assert ({given.criterion for given in plan.judgements}, len(plan.marks)) == ({"fluency"}, len(RATED))
    moved = EXPORTS["label_studio"].content().replace(b'"end": 3', b'"end": 1')
    with understand(TextFile(moved, "project.json")) as table:
        plan = plan_import(study, table, mapping, {}, {"scale-fluency": "fluency_5"})
        (asked,) = plan.open
        assert (asked.name, "a mark lies outside of the text" in asked.sentence) == ("unusable", True)
        assert len(plan.marks) == sum(not one.marks for one in RATED)


def test_marks_are_noted_where_nobody_counts_them():
    export, study = EXPORTS["label_studio"], campaigns.study(items=ITEMS, systems=1)
    with understand(TextFile(export.content(), export.name)) as table:
        mapping = guess_meanings(study, table, {})
        plan = plan_import(study, table, mapping, {}, {"scale-fluency": "fluency_5", "spans": "leave_out"})
        assert [str(note).partition(",")[0] for note in plan.notes] == ["Spans"]
        assert {given.criterion for given in plan.judgements} == {"fluency"}
        with pytest.raises(UserError, match="is not an answer to 'spans'"):
            plan_import(study, table, mapping, {}, {"scale-fluency": "fluency_5", "spans": "all"})

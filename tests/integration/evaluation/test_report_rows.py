"""What stands beside plain systems: the source and a reference that were judged too, families of seeds, Combined."""

import pytest

from annotation.campaigns.criteria import keep_criteria
from annotation.models import Campaign
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import Judgement as Given
from corpora.models import Document, DocumentSentence, Sentence
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.snapshot_builder.build import read_study

pytestmark = pytest.mark.django_db
SOURCES = ["hey there", "what up", "gotta go", "me too", "no way"]
FORMAL = ["Hello there.", "How are you?", "I have to leave.", "I agree.", "I disagree."]
SEEDS = {"Net 1": ["Hello.", "How are you?", "I leave.", "I agree.", "No."],
         "Net 2": ["Hello.", "What is it?", "I go.", "Me.", "No way."]}  # fmt: skip
CRITERIA = {
    "formality": ("formality_7", "style"),
    "fluency": ("fluency_5", "fluency"),
    "meaning": ("meaning_6", "meaning"),
}


@pytest.fixture
def study():
    made = create_study(slug="mail", title="Mail", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=FORMAL, origin="a file")
    for seed, (name, outputs) in enumerate(SEEDS.items(), start=1):
        add_system(study=made, name=name, outputs={direction: outputs}, origin="a file", family="Net", seed=seed)
    rows = [
        {"name": name, "scale": scale, "aspect": aspect, "beside": "source"}
        for name, (scale, aspect) in CRITERIA.items()
    ]
    keep_criteria(made, rows)
    return made


def rate(study, values):
    """`values[criterion]` of each text; every text of every source is judged by two raters, the second one higher."""
    rows = [
        Given(rater, source, texts[place], "formal", name, value + (rater == "w2"), None, 2)
        for name, of in values.items()
        for texts, value in of
        for place, source in enumerate(SOURCES)
        for rater in ("w1", "w2")
    ]
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=rows)


def row(report, name):
    return next(one for one in report.content["systems"] if one["name"] == name)


def test_families_have_mean_and_deviation_over_seeds(study):
    rate(study, {"formality": [(SEEDS["Net 1"], 1), (SEEDS["Net 2"], -1)]})
    choose_metrics(study=study, metrics={"fkgl": {}})
    report = make_report(study=study)
    (family,) = report.content["families"]
    assert (family["name"], family["systems"]) == ("Net", ["Net 1", "Net 2"])
    means = [row(report, name)["human"]["formality"]["mean"] for name in SEEDS]
    spread = abs(means[0] - means[1]) / 2**0.5
    assert family["human"]["formality"] == {"mean": sum(means) / 2, "deviation": pytest.approx(spread), "n": 2}
    assert family["metrics"]["fkgl"]["n"] == 2


def test_the_three_criteria_make_one_number(study):
    rate(
        study, {"formality": [(SEEDS["Net 1"], 0)], "fluency": [(SEEDS["Net 1"], 3)], "meaning": [(SEEDS["Net 1"], 4)]}
    )
    report = make_report(study=study)
    board = report.content["leaderboard"]["combined"]["human"]
    means = {name: row(report, "Net 1")["human"][name]["mean"] for name in CRITERIA}
    expected = means["formality"] / 3 + means["fluency"] / 2 + 2 * means["meaning"] / 5 + 1.5
    found = next(one for one in board["rows"] if one["system"] == "Net 1")
    assert found["value"] == pytest.approx(expected)
    assert report.content["leaderboard"]["combined"]["metrics"] is None
    choose_report(study=study, variant="z")
    assert make_report(study=study).content["leaderboard"]["combined"]["human"] is None, "z is on no scale of GYAFC's"


def test_without_the_three_scales_there_is_no_combined(study):
    rate(study, {"formality": [(SEEDS["Net 1"], 0)]})
    assert make_report(study=study).content["leaderboard"]["combined"] == {"human": None, "metrics": None}


def test_the_source_and_the_reference_stand_beside_the_systems_where_they_were_judged(study):
    choose_metrics(study=study, metrics={"pinc": {}, "bleu": {}})
    rate(study, {"formality": [(SEEDS["Net 1"], 1), (SOURCES, -3), (FORMAL, 2)]})
    assert [one["role"] for one in make_report(study=study).content["systems"]] == ["system", "system"]
    Campaign.objects.create(
        study=study, slug="rate", name="Rate", task_type="rate",
        settings={"rate_source": True, "rate_reference": True, "criteria": []},
    )  # fmt: skip
    report = make_report(study=study)
    assert [one["role"] for one in report.content["systems"]][2:] == ["source", "reference"]
    source, reference = row(report, "Source"), row(report, "Reference")
    assert source["human"]["formality"]["mean"] == -2.5
    assert reference["human"]["formality"]["mean"] == pytest.approx(2.5)
    assert source["metrics"]["pinc"]["score"] == 0
    assert reference["metrics"]["pinc"]["score"] > 50
    assert reference["metrics"]["bleu"]["score"] is None
    board = report.content["leaderboard"]["criteria"]["formality"]["rows"]
    assert [one["cluster"] for one in board if one["role"] != "system"] == [None, None]


def test_a_document_is_one_unit_where_the_study_says_so(study):
    whole = Document.objects.create(study=study, number=1, style="informal")
    for number, sentence in enumerate(Sentence.objects.filter(number__in=[2, 3]).order_by("-number"), start=1):
        sentence.origin = DocumentSentence.objects.create(
            document=whole, number=number, text=sentence.text, section="S"
        )
        sentence.save()
    study.unit = "document"
    study.save()
    texts = read_study(study).texts
    assert texts.units.sources == ["hey there", "gotta go what up", "me too", "no way"]
    assert texts.units.references[1] == ["I have to leave. How are you?"]
    assert texts.rows[0].outputs[1] == "I leave. How are you?"
    assert texts.units.sections == ["", "S", "", ""]
    study.systems.get(name="Net 1").outputs.filter(sentence__number=2).delete()
    assert read_study(study).texts.rows[0].outputs[1] is None, "a part is no document"
    choose_metrics(study=study, metrics={"pinc": {}})
    assert row(make_report(study=study), "Net 2")["metrics"]["pinc"]["n"] == 4

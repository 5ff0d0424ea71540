"""What metrics are given, what is kept of them, and what a metric that cannot be had leaves behind."""

import pytest
from support import campaigns

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.models import Sentence
from evaluation import scoring
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.baselines import BASELINES
from evaluation.contrast_set import UNHARMED
from evaluation.human_studies.sample import material_of
from evaluation.metrics import METRICS, MetricInput
from evaluation.models import BaselineScore, MetricScore, Report
from evaluation.scoring import ScoringInputs, style_words_of, system_outputs
from evaluation.snapshot_builder.build import read_study

pytestmark = pytest.mark.django_db
SOURCES = ["pt has htn .", "pt c/o sob .", "asa was given .", "no cp ."]
LAY = ["The patient[pt] has high blood pressure[htn].", "The pt[patient] is out of breath.", "Aspirin was given.", "x"]
OUTPUTS = ["The patient has hypertension.", "The patient is short of breath.", "asa was given .", "No chest pain."]


@pytest.fixture
def study():
    made = create_study(slug="notes", title="Notes", styles=["expert", "lay"])
    direction = add_direction(study=made, source_style="expert", target_style="lay")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=LAY, origin="a file", marks="brackets")
    add_system(study=made, name="Model", outputs={direction: OUTPUTS}, origin="a file")
    return made


def test_references_are_read_without_their_brackets(study):
    texts = read_study(study).texts
    assert texts.units.references[1] == ["The patient is out of breath."]
    assert texts.terms[0][0][-1] == "htn"
    assert texts.terms[2] == [[]], "a reference without any"


def test_people_judge_references_as_metrics_read_them(study):
    """Else what they say of a reference would be of a text that the report does not know."""
    plan = plan_human_study(study=study, name="Plan", rate_reference=True,
                            criteria=[{"name": "fluency", "scale": "fluency_5"}])  # fmt: skip
    assert [one.references for one in material_of(plan, [])] == read_study(study).texts.units.references


def test_a_batch_holds_what_a_metric_needs_and_no_more(study):
    read = read_study(study)
    inputs, (model,) = ScoringInputs(study, read), system_outputs(read.texts)
    bare = inputs.metric_input(model, frozenset())
    assert (bare.outputs, bare.sources, bare.references, bare.material) == (OUTPUTS, [], [], None)
    whole = inputs.metric_input(model, frozenset({"sources", "references", "styles", "terms", "texts"}))
    assert (whole.source_styles, whole.target_styles) == (["expert"] * 4, ["lay"] * 4)
    assert whole.terms == list(read.texts.terms)
    assert whole.material.origin == "own"
    assert whole.material.texts["lay"][1] == "The patient is out of breath."


def test_a_study_with_a_train_split_of_all_styles_trains_on_it_alone(study):
    Sentence.objects.filter(number__in=[1, 2]).update(split="train")
    Sentence.objects.filter(number=3).update(split="tune")
    material = ScoringInputs(study, read_study(study)).material
    assert (material.origin, material.texts["expert"]) == ("train", SOURCES[:2])
    assert material.tune == {"expert": [SOURCES[2]], "lay": ["Aspirin was given."]}


def test_a_score_hangs_on_what_its_metric_needs_alone(study):
    choose_metrics(study=study, metrics={"fkgl": {}, "pinc": {}})
    make_report(study=study)
    MetricScore.objects.update(corpus=-1)
    Sentence.objects.filter(number=1).update(text="The pt has htn .")
    make_report(study=study)
    assert dict(MetricScore.objects.values_list("metric", "corpus"))["fkgl"] == -1
    assert dict(MetricScore.objects.values_list("metric", "corpus"))["pinc"] != -1


def test_a_metric_that_is_not_available_says_what_to_install_and_is_no_zero(study, monkeypatch):
    monkeypatch.delenv("RESTYLE_MODELS", raising=False)
    name = next(name for name in METRICS if METRICS[name].unavailable())
    choose_metrics(study=study, metrics={name: {}, "fkgl": {}})
    report = make_report(study=study)
    found = report.content["systems"][0]["metrics"]
    assert found[name]["score"] is None
    assert found[name]["undefined"] == METRICS[name].unavailable()
    assert found["fkgl"]["score"] is not None


def test_a_metric_that_breaks_says_so_and_takes_no_other_with_it(study, monkeypatch):
    def broken(batch, chosen):
        raise OSError("no file\0 model.safetensors")

    monkeypatch.setattr(METRICS["pinc"], "_score", broken)
    choose_metrics(study=study, metrics={"pinc": {}, "fkgl": {}})
    found = make_report(study=study).content["systems"][0]["metrics"]
    said = "It stopped at an error of the program: OSError: no file model.safetensors"
    assert (found["pinc"]["score"], found["pinc"]["undefined"]) == (None, said)
    assert found["fkgl"]["score"] is not None


@pytest.mark.parametrize("at", [1, 2])
def test_a_report_falls_with_the_first_score_that_changes(study, monkeypatch, at):
    class Killed(BaseException):
        pass

    def killed(key, scores):
        calls.append(key)
        if len(calls) == at:
            raise Killed
        return stored(key, scores)

    calls, stored = [], scoring._columns_of
    choose_metrics(study=study, metrics={"fkgl": {}})
    before = make_report(study=study).key
    for kind in (MetricScore, BaselineScore):
        kind.objects.update(key="of other texts")
    monkeypatch.setattr(scoring, "_columns_of", killed)
    with pytest.raises(Killed):
        make_report(study=study)
    assert MetricScore.objects.exclude(key="of other texts").count() == at - 1
    assert Report.objects.get(study=study).key == (before if at == 1 else "")


def test_every_baseline_is_scored_by_every_metric_and_kept(study):
    choose_metrics(study=study, metrics={"pinc": {}, "rouge_l": {}})
    report = make_report(study=study)
    assert set(BaselineScore.objects.values_list("baseline", "metric")) == {
        (f, m) for f in [*BASELINES, "contrast"] for m in ("pinc", "rouge_l")
    }
    copied = next(one for one in report.content["trust"]["foils"] if one["name"] == "copied_source")
    assert copied["metrics"]["pinc"] == {"score": 0.0, "undefined": "", "place": 2, "of": 2}
    BaselineScore.objects.update(corpus=7)
    make_report(study=study)
    assert set(BaselineScore.objects.values_list("corpus", flat=True)) == {7.0}
    choose_metrics(study=study, metrics={"pinc": {}})
    make_report(study=study)
    assert set(BaselineScore.objects.values_list("metric", flat=True)) == {"pinc"}


def test_the_contrast_set_is_scored_by_every_metric_and_told_apart_in_the_report(study):
    direction = study.directions.get()
    add_references(direction=direction, texts=["He has it.", "She cannot breathe.", "Taken.", "None."], origin="b")
    choose_metrics(study=study, metrics={"rouge_1": {}, "edit_distance": {}})
    content = make_report(study=study).content
    details = BaselineScore.objects.get(baseline="contrast", metric="rouge_1").details
    good = [score for score, family in zip(details["scores"], details["families"], strict=True) if family == UNHARMED]
    batch = MetricInput([], [text.replace("[pt]", "").replace("[htn]", "").replace("[patient]", "") for text in LAY],
                        [["He has it."], ["She cannot breathe."], ["Taken."], ["None."]])  # fmt: skip
    assert good == pytest.approx(METRICS["rouge_1"].score(batch).sentences), "held against the other references alone"
    shown = content["trust"]["contrast"]["metrics"]
    assert shown["rouge_1"]["coherence"] | {"low": 0, "high": 0} == {
        "share": 0.0, "low": 0, "high": 0, "tied": 1.0, "n": 3, "undefined": "",
    }  # fmt: skip
    assert shown["edit_distance"]["coherence"]["undefined"] == "Neither end of this metric is the better one."
    assert make_report(study=study).tables_and_figures["contrast"]["title"].startswith("Harms that")


def test_style_words_are_the_studys_own_or_those_that_its_texts_give_away(study):
    units = read_study(study).texts.units
    found = style_words_of(study, units)
    assert "the" in found["lay"]
    assert "pt" in found["expert"]
    study.style_words = ["patient", "htn"]
    assert style_words_of(study, units) == {"expert": ["htn"], "lay": ["patient"]}


def test_documents_are_units_where_the_study_says_so():
    study = campaigns.study(items=3, systems=1, references=1)
    study.unit = "document"
    study.save()
    assert len(read_study(study).texts.units.ids) == 3, "a sentence of no document stands for itself"

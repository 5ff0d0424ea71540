"""What is worked out again when something changes, and what is kept."""

import pytest
from support import campaigns

from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.actions.remove_system import remove_system
from corpora.models import Output, Reference, Sentence
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from evaluation.metrics import style_accuracy
from evaluation.models import BaselineScore, MetricScore, Report
from evaluation.report_freshness import report_key

pytestmark = pytest.mark.django_db
SOURCES = ["gonna go now", "u there ?", "that was so cool", "dunno yet", "cya"]
REFERENCES = ["I am going to leave now.", "Are you there?", "That was very good.", "I do not know yet.", "Goodbye."]
OUTPUTS = {
    "A": ["I will go now.", "Are you there ?", "That was cool.", "I dunno yet.", "See you."],
    "B": [*REFERENCES[:3], "No.", "Bye."],
}
METRIC_NAMES = ("fkgl", "pinc", "bleu", "style_accuracy")  # outputs; and sources; and references; trained on both


@pytest.fixture
def study():
    made = create_study(slug="chat", title="Chat", styles=["informal", "formal"])
    direction = add_direction(study=made, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=SOURCES)
    add_references(direction=direction, texts=REFERENCES, origin="a file")
    for name, outputs in OUTPUTS.items():
        add_system(study=made, name=name, outputs={direction: outputs}, origin="a file")
    choose_metrics(study=made, metrics={name: {} for name in METRIC_NAMES})
    make_report(study=made)
    return made


def renewed(study):
    """The systems and metrics that the next report works out again."""
    MetricScore.objects.update(corpus=-1)
    BaselineScore.objects.update(corpus=-1)
    make_report(study=study)
    rows = MetricScore.objects.exclude(corpus=-1).values_list("system__name", "metric")
    return {f"{metric} {system}" for system, metric in rows}


def of_both(*metrics):
    return {f"{metric} {system}" for metric in metrics for system in OUTPUTS}


def test_where_nothing_has_changed_the_report_stands(study):
    before = Report.objects.get()
    assert renewed(study) == set()
    assert not BaselineScore.objects.exclude(corpus=-1).exists()
    assert Report.objects.get().made_at == before.made_at


def test_who_only_looks_at_the_work_changes_no_report(study):
    before = report_key(study)
    campaign = campaigns.campaign(study, "rewrite")
    work = campaigns.held(campaign, who := campaigns.person(study=study))
    assert report_key(study) == before
    campaigns.hand_in(campaign, who, work)
    assert report_key(study) != before


def test_a_changed_output_is_scored_anew_and_no_other_systems(study):
    before = Report.objects.get()
    Output.objects.filter(system__name="A", sentence__number=1).update(text="I am going now.")
    assert renewed(study) == {f"{metric} A" for metric in METRIC_NAMES}
    assert {one.baseline for one in BaselineScore.objects.exclude(corpus=-1)} <= {"contrast"}, "made of outputs"
    assert Report.objects.get().made_at > before.made_at


def test_a_changed_reference_reaches_what_hangs_on_references_alone(study):
    Reference.objects.filter(sentence__number=1).update(text="I have to leave now.")
    assert renewed(study) == of_both("bleu", "style_accuracy")


def test_a_changed_source_reaches_what_hangs_on_sources_alone(study):
    Sentence.objects.filter(number=1).update(text="gonna leave now")
    assert renewed(study) == of_both("pinc", "style_accuracy")


def test_a_changed_setting_reaches_its_metric_alone(study):
    choose_metrics(study=study, metrics={**{key: {} for key in METRIC_NAMES}, "bleu": {"lowercase": True}})
    assert renewed(study) == of_both("bleu")


def test_a_trained_metric_learns_again_only_where_its_texts_change(study, monkeypatch):
    """Of the outputs it scores nothing is learnt: new ones ask for no training."""
    trained, train = [], style_accuracy._train
    monkeypatch.setattr(style_accuracy, "_train", lambda *given: trained.append(1) or train(*given))
    Output.objects.filter(system__name="A", sentence__number=1).update(text="I am going now.")
    make_report(study=study)
    assert not trained
    Reference.objects.filter(sentence__number=1).update(text="I have to leave now.")
    make_report(study=study)
    assert trained


def test_a_system_that_is_removed_meanwhile_is_left_out(study):
    """Else the work would end at an error of the database, and nobody would have a report."""
    said = []

    def step(done, total, line):
        said.append(line)
        if line == "pinc of A":
            remove_system(system=study.systems.get(name="A"))

    Output.objects.filter(system__name="A", sentence__number=1).update(text="I am going now.")
    report = make_report(study=study, step=step)
    assert [row["name"] for row in report.content["systems"]] == ["B"]
    assert "Removed meanwhile, and left out: A." in said
    assert said[-1] == "The report is ready."
    assert report.key == report_key(study)
    assert set(MetricScore.objects.values_list("system__name", flat=True)) == {"B"}


def test_work_that_is_stopped_leaves_a_report_that_holds_no_longer(study):
    def stop(done, total, line):
        if line == "pinc of A":
            raise KeyboardInterrupt

    Output.objects.filter(system__name="A", sentence__number=1).update(text="I am going now.")
    with pytest.raises(KeyboardInterrupt):
        make_report(study=study, step=stop)
    assert Report.objects.get().key == ""
    assert renewed(study) == {f"{metric} A" for metric in METRIC_NAMES[1:]}
    assert Report.objects.get().key

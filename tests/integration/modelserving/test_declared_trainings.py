"""`[[trainings]]` of a study file: queued once, held to the model's options, stated where they differ."""

import pytest
from support.study_files import beginning_with_pairs
from support.training_studies import pairs

from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from jobs.models import Job
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
STUDY = (
    beginning_with_pairs()
    + """
[[trainings]]
name = "Small"
model = "seq2seq"
seed = 7
options = { hidden = 64, rate = 1 }
"""
)
FILES = {
    "sources": "".join(f"{source}\n" for source, _ in pairs(40)).encode(),
    "references": "".join(f"{target}\n" for _, target in pairs(40)).encode(),
}


def apply(text=STUDY):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=FILES.__getitem__)


def test_a_declared_training_is_queued_once():
    study, added = apply()
    run = study.trainings.get()
    assert "training Small" in added
    assert (run.name, run.model, run.seed) == ("Small", "seq2seq", 7)
    assert (run.options["hidden"], run.options["rate"]) == (64, 1.0)
    assert run.job.state == Job.State.QUEUED
    assert apply()[1] == []
    assert study.trainings.count() == 1
    more = STUDY + '\n[[trainings]]\nname = "Words"\nmodel = "dictionary"\ndirection = "informal-formal"\n'
    assert apply(more)[1] == ["training Words"]


def test_a_difference_is_stated_and_changes_nothing():
    apply()
    with pytest.raises(UserError, match=r"training Small: options.hidden was 64, and is now 32"):
        apply(STUDY.replace("64", "32"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("hidden = 64", "hiden = 64"), "line 26, trainings[1].options.hiden: There is no such option"),
        (("hidden = 64", 'hidden = "64"'), "hidden: Expected a whole number."),
        (('"seq2seq"', '"seq2sqe"'), "there is no model 'seq2sqe'; did you mean seq2seq"),
        (("seed = 7", "seed = -7"), "a whole number from 0"),
        (("train = 60", "train = 0"), "training Small, informal-formal: There is nothing to train on"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(change, said):
    text = STUDY.replace(*change)
    text = text.replace("tune = 20", "tune = 80") if "train = 0" in change[1] else text
    with pytest.raises(UserError) as error:
        apply(text)
    assert said in str(error.value)
    assert not Study.objects.exists()


def test_a_model_that_is_not_trained():
    text = STUDY.replace("seq2seq", "rule_based_formality").replace("options = { hidden = 64, rate = 1 }", "")
    with pytest.raises(UserError, match="training Small, model: Rule-based formality needs no training"):
        apply(text)


SWEEP = (
    beginning_with_pairs()
    + """
[[sweeps]]
name = "Sizes"
model = "seq2seq"
at_most = 4
seed = 7
options = { epochs = 2 }
[sweeps.vary]
hidden = [64, 128]
rate = { low = 1e-4, high = 1e-2, scale = "log" }
"""
)


def test_a_declared_sweep_is_queued_once():
    study, added = apply(SWEEP)
    assert "sweep Sizes" in added
    runs = list(study.sweeps.get().trainings.order_by("pk"))
    assert [run.name for run in runs] == [f"Sizes {number}" for number in range(1, 5)]
    assert {run.options["epochs"] for run in runs} == {2}
    assert {run.options["hidden"] for run in runs} <= {64, 128}
    assert all(1e-4 <= run.options["rate"] <= 1e-2 for run in runs)
    assert apply(SWEEP)[1] == []
    with pytest.raises(UserError, match="sweep Sizes: at_most was 4, and is now 5"):
        apply(SWEEP.replace("at_most = 4", "at_most = 5"))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("[64, 128]", "[64, 0]"), r"line 29, sweeps\[1\].vary.hidden\[2\]: Expected a number from 1"),
        (("hidden =", "hiden ="), r"line 29, sweeps\[1\].vary.hiden: There is no such option; did you mean hidden"),
        (("high = 1e-2", "high = 1e-5"), r"line 30, sweeps\[1\].vary.rate: The least value must be below"),
        (("epochs = 2", "epochs = 0"), r"sweeps\[1\].options.epochs: Expected a number from 1"),
        (("at_most = 4", 'search = "grid"'), "line 30, .*vary.rate: A grid takes lists of values"),
        (("at_most = 4", 'score = "blue"'), r"sweeps\[1\].score: Expected one of"),
    ],
)
def test_a_faulty_sweep_is_refused_with_its_place(change, said):
    with pytest.raises(UserError, match=said):
        apply(SWEEP.replace(*change))
    assert not Study.objects.exists()

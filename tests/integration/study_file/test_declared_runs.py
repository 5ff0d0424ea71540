"""`[[runs]]` of a study file: models whose outputs are systems that other blocks may name, each after its training."""

import pytest
from support.study_files import beginning_with_pairs
from support.training_studies import pairs

from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.execution import run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.remove_training import remove_training
from modelserving.models import TrainingRun, TransferRun
from modelserving.training_runs.execution import run_training
from modelserving.transfer_runs import run_transfer
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
STUDY = (
    beginning_with_pairs()
    + """
[[systems]]
name = "People"
human = true
references = 1

[[trainings]]
name = "Words"
model = "dictionary"
seeds = [3, 5]

[[runs]]
name = "Replaced"
training = "Words"

[[runs]]
name = "Rules"
model = "rule_based_formality"
decoding = { strength = 1.0 }

[report]
baseline = "Replaced, seed 3"
"""
)
FILES = {
    "sources": "".join(f"{source}\n" for source, _ in pairs(40)).encode(),
    "references": "".join(f"{target}\n" for _, target in pairs(40)).encode(),
}


@pytest.fixture(autouse=True)
def work_folder(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"


def apply(text=STUDY, **files):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=(FILES | files).__getitem__)


def work(job):
    run_job(job.pk, run_training if job.task.endswith("train") else run_transfer)
    job.refresh_from_db()
    assert not job.error, job.log
    return job.state


def test_runs_wait_for_their_trainings_and_are_one_family():
    study, added = apply()
    assert {"run Replaced", "run Rules", "training Words"} < set(added)
    assert list(study.trainings.order_by("seed").values_list("name", "seed")) == [
        ("Words, seed 3", 3), ("Words, seed 5", 5),
    ]  # fmt: skip
    systems = study.systems.filter(transfer_run__isnull=False).order_by("number")
    assert list(systems.values_list("name", "family", "seed")) == [
        ("Replaced, seed 3", "Replaced", 3), ("Replaced, seed 5", "Replaced", 5), ("Rules", "", None),
    ]  # fmt: skip
    assert study.report_choice.baseline.name == "Replaced, seed 3"
    run = TransferRun.objects.get(system__name="Replaced, seed 5")
    assert (run.split, run.checkpoint, run.training.seed) == ("test", None, 5)
    assert work(run.job) == Job.State.QUEUED
    assert work(run.training.job) == Job.State.DONE
    assert work(run.job) == Job.State.DONE
    run.refresh_from_db()
    assert run.checkpoint == run.training.checkpoints.get(kind="best")
    assert run.system.outputs.count() == study.directions.get().sentences.filter(split="test").count() == 8
    rules = TransferRun.objects.get(system__name="Rules")
    assert (work(rules.job), rules.settings["strength"]) == (Job.State.DONE, 1.0)
    assert apply()[1] == []
    assert study.trainings.count() == 2


def test_people_s_rewrites_are_a_system_of_the_test_split():
    study, _ = apply()
    people = study.systems.get(name="People")
    wanted = dict(pairs(40))
    assert people.is_human
    assert people.outputs.count() == 8
    assert all(wanted[output.sentence.text] == output.text for output in people.outputs.select_related("sentence"))


def test_a_checkpoint_from_elsewhere_is_run():
    apply()
    run = TrainingRun.objects.get(seed=3)
    work(run.job)
    file = b"".join(artifacts.stored_chunks(run.checkpoints.get(kind="best").file.name))
    other = STUDY.partition("[[trainings]]")[0].replace('"tone"', '"other"').replace('"Tone"', '"Others"')
    text = other + '[[runs]]\nname = "Theirs"\ncheckpoint = "theirs.zip"\n\n[[runs]]\nname = "Twice"\n' + (
        'checkpoint = "theirs.zip"\n'
    )  # fmt: skip
    there, added = apply(text, **{"theirs.zip": file})
    assert added[-2:] == ["run Theirs", "run Twice"]
    assert there.checkpoints.get().kind == "imported"
    theirs = there.transfer_runs.get(system__name="Theirs")
    assert (work(theirs.job), theirs.system.outputs.count()) == (Job.State.DONE, 8)
    with pytest.raises(UserError, match=r"run Theirs: the content of theirs.zip has changed"):
        apply(text, **{"theirs.zip": file + b" "})


def test_a_training_for_which_a_run_waits_is_not_removed():
    study, _ = apply()
    training = TrainingRun.objects.get(seed=3)
    cancel_job(job=training.job)
    with pytest.raises(UserError, match="Words, seed 3: A run waits for this training; cancel the run first"):
        remove_training(run=training)
    cancel_job(job=training.job.followers.get())
    remove_training(run=training)
    assert study.trainings.count() == 1


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('training = "Words"', 'training = "Wards"', "there is no training in this file 'Wards'; did you mean"),
        ('training = "Words"\n', "", "line 32, runs[1]: one of 'training', 'checkpoint' (a file) and 'model'"),
        ('"rule_based_formality"', '"seq2seq"', "Seq2Seq must be trained first: declare a training, and name that"),
        ("strength = 1.0", "strenth = 1.0", "runs[2].decoding.strenth"),
        ('name = "Rules"', 'name = "People"', "there is a system 'People' already, of [[systems]] block 1"),
        ('name = "Rules"', 'name = "Replaced"', "'Replaced' stands in [[runs]] block 1 already"),
        ("seeds = [3, 5]", "seeds = [3, 3]", "a list of 1 to 100 different whole numbers from 0 was expected"),
        ("seeds = [3, 5]", "seeds = [3]\nseed = 3", "'seed' and 'seeds' do not stand together"),
        ("Replaced, seed 3", "Replaced", "there is no system 'Replaced'; did you mean Replaced, seed"),
        ("references = 1", "references = 2", "system People, references: No text of the test split has a reference 2"),
        ("seeds = [3, 5]", "options = { hidden = 3 }", "options.hidden"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(right, wrong, said):
    assert right in STUDY
    with pytest.raises(UserError) as error:
        apply(STUDY.replace(right, wrong))
    assert said in str(error.value)
    assert not Study.objects.exists()

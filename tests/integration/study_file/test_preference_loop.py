"""The loop of docs/recipes/preference-loop.toml with a T5 of some states: judge, train, run, judge."""

from pathlib import Path

import pytest
from django.core.management import call_command
from support import campaigns as make
from support import tiny_transformers
from support.tiny_pairs import SOURCES, TARGETS

from corpora.formats import TextFile
from corpora.models import Study
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.make_report import make_report
from evaluation.actions.open_human_study import open_human_study
from foundation.project import ROOT
from jobs.execution import run_job
from jobs.models import Job
from modelserving.training_runs.execution import run_training
from modelserving.transfer_runs import run_transfer
from study_file.parser.parser import parse_study_file

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
RECIPE = ROOT / "docs/recipes/preference-loop.toml"
SECOND = "#: "
WORK = {"modelserving.tasks.train": run_training, "modelserving.tasks.transfer": run_transfer}


def whole() -> str:
    """The recipe with its second round, and a T5 that is at hand."""
    return RECIPE.read_text(encoding="utf-8").replace(SECOND, "").replace("t5-base", "t5")


def first_round() -> str:
    lines = RECIPE.read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(SECOND)).replace("t5-base", "t5")


def test_the_recipe_is_read_in_both_rounds() -> None:
    first, second = (parse_study_file(TextFile(text.encode(), RECIPE.name)) for text in (first_round(), whole()))
    assert first.slug == RECIPE.stem
    assert [training.name for training in first.trainings] == ["Referenced"]
    assert [training.name for training in second.trainings] == ["Referenced", "Preferred"]
    assert [run.name for run in second.runs] == ["Referenced", "Drawn", "Preferred"]
    assert RECIPE.name in (RECIPE.parent / "README.md").read_text(encoding="utf-8")


def apply(folder: Path, text: str) -> Study:
    (folder / RECIPE.name).write_text(text, encoding="utf-8")
    call_command("apply_study", str(folder / RECIPE.name))
    return Study.objects.get(slug=RECIPE.stem)


def work(study: Study) -> None:
    """The jobs that wait, small: a few updates at a rate at which a tiny model writes something, and short outputs."""
    for training in study.trainings.filter(job__state=Job.State.QUEUED):
        training.options |= {"epochs": 10, "rate": 0.01, "read": 32, "write": 24, "batch": 4}
        if training.options["learn_from"] == "preferences":
            training.options |= {"epochs": 2, "rate": 1e-4}
        training.save(update_fields=["options"])
    for run in study.transfer_runs.filter(job__state=Job.State.QUEUED):
        run.settings |= {"beam": 1, "longest": 8, "shortest": 3}
        run.save(update_fields=["settings"])
    for job in Job.objects.filter(study_slug=study.slug, state=Job.State.QUEUED).order_by("pk"):
        run_job(job.pk, WORK[job.task])
        job.refresh_from_db()
        assert job.state == Job.State.DONE, f"{job.title}: {job.error}\n{job.log}"


def judge(study: Study, name: str) -> int:
    """One person ranks the shorter text first; the number of pages."""
    human_study = open_human_study(human_study=study.human_studies.get(name=name), by=None)
    campaign, who, pages = human_study.campaigns.get(), make.person(study=study), 0
    while (work := make.claim(campaign, who).work) is not None:
        texts = [work.content["candidates"][place] for place in work.order]
        order = sorted(texts, key=lambda text: (len(text), text))
        make.hand_in(campaign, who, work, content={"ranks": [1 + order.index(text) for text in texts]})
        pages += 1
    close_human_study(human_study=human_study, by=None)
    return pages


@pytest.mark.soak
def test_judge_train_run_judge(tmp_path: Path, settings, models_folder: Path) -> None:
    settings.WORK_FOLDER = tmp_path / "work"
    tiny_transformers.make("t5", models_folder / "t5")
    (tmp_path / "informal.txt").write_text("\n".join(SOURCES), encoding="utf-8")
    (tmp_path / "formal.txt").write_text("\n".join(TARGETS), encoding="utf-8")
    study = apply(tmp_path, first_round())
    work(study)
    assert study.systems.get(name="Drawn").outputs.count() == len(SOURCES)
    judged = judge(study, "Which is better?")
    assert judged > 5
    study = apply(tmp_path, whole())
    work(study)
    run = study.trainings.get(name="Preferred")
    assert 0 < run.counts["preferences"] <= judged
    assert "judged pairs to learn from" in run.job.log
    curves = set(run.curves.values_list("name", flat=True))
    assert {"loss a pair", "preference_loss", "preference_accuracy", "reward_margin"} <= curves
    assert study.systems.get(name="Preferred").outputs.count() == 3, "the test split"
    assert judge(study, "Did it help?") > 0
    rows = {row["name"]: row for row in make_report(study=study).content["systems"]}
    ranked = [of for name, of in rows["Preferred"]["human"].items() if name.partition(" (")[0] == "rank"]
    assert any(of["mean"] is not None for of in ranked)

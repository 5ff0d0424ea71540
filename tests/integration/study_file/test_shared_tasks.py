"""The study files of shared tasks, docs/recipes/shared-task-*.toml, with a few lines: applied twice, and a table."""

import re
import shutil

import pytest
from django.core.management import call_command

from corpora.models import Study
from evaluation.actions.make_report import make_report
from foundation.project import ROOT

pytestmark = pytest.mark.django_db
FILES = sorted((ROOT / "docs/recipes").glob("shared-task-*.toml"))
SAYS = {  # a table of each, and what it says of two teams that nobody has judged yet
    "biolaysumm": ("biolaysumm", "These numbers depend on which systems take part"),
    "plaba": ("leaderboard", "Team B"),
    "simpeval": ("simpeval", "No criterion is on a scale"),
    "textdetox": ("leaderboard", "Team B"),
}
QUICK = ["bleu", "chrf", "coleman_liau", "fkgl", "rouge_1", "rouge_l", "sari"]  # metrics that need no folder


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_shared_task_is_set_up_by_its_file(file, tmp_path):
    recipe = shutil.copy(file, tmp_path)
    for number, name in enumerate(re.findall(r'(?:sources|file) = "([^"]+)"', file.read_text())):
        lines = [f"The {'plain ' * number}text {line} says a thing." for line in range(1, 6)]
        (tmp_path / name).write_text("\n".join(lines) + "\n")
    call_command("apply_study", recipe)
    study = Study.objects.get(slug=file.stem)
    counts = [study.systems.count(), study.campaigns.count(), study.metric_choices.count()]
    assert counts[0] == 2
    call_command("apply_study", recipe)
    assert counts == [study.systems.count(), study.campaigns.count(), study.metric_choices.count()]
    table, said = SAYS[file.stem.rpartition("-")[2]]
    study.metric_choices.exclude(metric__in=QUICK).delete()
    assert said in str(make_report(study=study).tables_and_figures[table])


def test_each_shared_task_has_a_file():
    assert {file.stem.rpartition("-")[2] for file in FILES} == set(SAYS)

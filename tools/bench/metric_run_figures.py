"""The figure of the metric run: a study whose texts, outputs and ratings somebody else collected."""

from functools import partial
from pathlib import Path

from accounts.models import Person
from corpora.formats import TextFile
from corpora.models import Study
from study_file.actions.apply_study import apply_study
from tools.bench.clock import Took, timed
from tools.bench.metric_run_jobs import reported


def scoring(file: Path, by: Person) -> dict[str, Took | None]:
    """Apply the study file and score it as a worker does: each figure by its words, None where there is no file."""
    if not file.is_file():
        return {f"metric run: absent, as there is no {file}": None}
    text = TextFile(file, file.name)
    applied = timed(partial(apply_study, file=text, opened=lambda name: file.parent / name, by=by))
    study = Study.objects.latest("pk")
    return {f"{file.stem}: study file applied": applied, **reported(study, file.stem, by)}

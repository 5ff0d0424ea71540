"""The figure of the metric run: a study whose texts, outputs and ratings somebody else collected."""

import itertools
import time
from pathlib import Path
from typing import NamedTuple

from accounts.models import Person
from config.actions.apply_study import apply_study
from corpora.formats import TextFile
from evaluation.actions.make_report import make_report


class Scored(NamedTuple):
    """Seconds: to set the study up, to score and report it, and to do so again when nothing has changed."""

    applied: float
    cold: float
    cached: float


def scoring(file: Path, by: Person) -> Scored | None:
    """Apply the study file and score it as a worker does; None where the file is not there."""
    if not file.is_file():
        return None
    clock = [time.perf_counter()]
    study, _ = apply_study(file=TextFile(file, file.name), opened=lambda name: file.parent / name, by=by)
    clock.append(time.perf_counter())
    for _ in ("cold", "cached"):
        make_report(study=study)
        clock.append(time.perf_counter())
    return Scored(*(after - before for before, after in itertools.pairwise(clock)))

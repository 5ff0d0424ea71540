"""The figures of metric runs: of made texts, and of a study whose texts and ratings somebody else collected."""

from functools import partial
from pathlib import Path

from accounts.models import Person
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.metrics import METRICS
from evaluation.tasks import score
from foundation.errors import UserError
from jobs.models import Job
from study_file.actions.apply_study import apply_study
from tools.bench.bench_study import made_texts
from tools.bench.clock import Took, timed
from tools.bench.metric_figures import BATTERY, REFERENCES, SENTENCES, SYSTEMS

# The figures of metric runs, each done as a worker does it: from the row of the job to the stored report.


def running(by: Person) -> dict[str, Took]:
    """The battery over a study with the same texts, with its baselines and its report: each figure by its words."""
    texts = made_texts(SYSTEMS, SENTENCES, REFERENCES)
    study = create_study(slug="bench-metrics", title="Bench metrics", styles=["informal", "formal"], by=by)
    direction = add_direction(study=study, source_style="informal", target_style="formal")
    add_sources(direction=direction, texts=texts.sources)
    for given in zip(*texts.references, strict=True):
        add_references(direction=direction, texts=list(given), origin="bench")
    for place, outputs in enumerate(texts.outputs):
        add_system(study=study, name=f"System {place}", outputs={direction: outputs}, origin="bench", by=by)
    chosen = {name: {"synonyms": False} if METRICS[name].unavailable() else {} for name in BATTERY}
    choose_metrics(study=study, metrics=chosen)
    return reported(study, f"metric run of the {len(BATTERY)} metrics over these texts", by)


def reported(study: Study, of: str, by: Person) -> dict[str, Took]:
    """Three runs: with nothing kept, with nothing changed, and with only the report to be made."""
    run = partial(_run, study, by)
    cold, again = timed(run), timed(run)
    study.report.delete()
    return {
        f"{of}: metrics and report, cold": cold,
        f"{of}: metrics and report, nothing changed": again,
        f"{of}: report, scores kept": timed(run),
    }


def _run(study: Study, by: Person) -> None:
    job = start_metrics(study=study, by=by).job
    score(job.pk)
    job.refresh_from_db()
    if job.state != Job.State.DONE:
        raise UserError("The job ended as {state}: {error}", state=job.state, error=job.error)


def scoring(file: Path, by: Person) -> dict[str, Took | None]:
    """Apply the study file and score it as a worker does: each figure by its words, None where there is no file."""
    if not file.is_file():
        return {f"metric run: absent, as there is no {file}": None}
    text = TextFile(file, file.name)
    applied = timed(partial(apply_study, file=text, opened=lambda name: file.parent / name, by=by))
    study = Study.objects.latest("pk")
    return {f"{file.stem}: study file applied": applied, **reported(study, file.stem, by)}

"""The folder of a trained model that is pushed: its checkpoint's files side by side, and the facts for its card."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.db.models import F, Func, IntegerField
from django.utils.translation import override

from corpora.models import Output
from evaluation.metrics import METRICS
from evaluation.models import MetricScore
from foundation.errors import UserError
from integrations.hugging_face.model_card import ModelScore, ToldModel
from integrations.publishing.models import Publication
from modelserving.artifacts import fetch_checkpoint
from modelserving.models import Checkpoint, TransferRun
from modelserving.outside_services import made_of_restricted, was_restricted
from modelserving.presenters.labels import facts_of, metric_label
from modelserving.training.checkpoint import MANIFEST, Manifest, written
from modelserving.transfer import TRANSFERS

TERMS = ("license", "terms")
"""What `trained` of a pushed manifest says of the texts, so that whoever pushes the model on has the same gate."""


def refuse_model(checkpoint: Checkpoint, service: str) -> None:
    """Raise a UserError where an imported model was made of restricted texts; for own ones the study's terms count."""
    if checkpoint.run_id is None and checkpoint.manifest["trained"].get("restricted"):
        raise made_of_restricted(service)


def terms_of(checkpoint: Checkpoint) -> dict[str, str]:
    """Licence and terms of the texts that it was made of: the study's of now, or what an imported one says."""
    study, trained = checkpoint.study, checkpoint.manifest["trained"]
    if checkpoint.run_id is not None:
        return {"license": study.license, "terms": study.terms}
    return {name: value if isinstance(value := trained.get(name), str) else "" for name in TERMS}


def model_in(publication: Publication, folder: Path) -> ToldModel:
    """Write the files and the manifest into the folder; what the card tells."""
    checkpoint = publication.checkpoint
    if checkpoint is None:
        raise UserError("The checkpoint was removed.", where="checkpoint")
    service = publication.get_service_display()
    refuse_model(checkpoint, service)
    terms = terms_of(checkpoint)
    manifest = fetch_checkpoint(checkpoint, folder)
    if checkpoint.run_id is None and was_restricted(manifest):
        raise made_of_restricted(service)
    trained = {name: value for name, value in manifest.trained.items() if name not in TERMS}
    manifest = replace(manifest, trained=trained | {name: text for name, text in terms.items() if text})
    (folder / MANIFEST).write_bytes(written(manifest))
    return _told(checkpoint, manifest, terms)


def _told(checkpoint: Checkpoint, manifest: Manifest, terms: Mapping[str, str]) -> ToldModel:
    kind = TRANSFERS[checkpoint.model]
    with override("en"):  # cards are English, as those of data sets
        trained = facts_of(checkpoint).trained
    runs = checkpoint.transfer_runs.exclude(system=None).select_related("system", "direction")
    return ToldModel(
        name=checkpoint.name, label=kind.label, paper=kind.paper, language=checkpoint.study.language,
        license=terms["license"], terms=terms["terms"], directions=manifest.directions, trained=trained,
        options=[(name, _plain(value)) for name, value in sorted(manifest.options.items())],
        scores=[*_tuned(checkpoint), *(score for run in runs for score in _scores(checkpoint, run))],
        signatures=sorted({run.signature for run in checkpoint.transfer_runs.all() if run.signature}),
        files=[(name, str(about["sha256"])) for name, about in manifest.files.items()],
    )  # fmt: skip


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _tuned(checkpoint: Checkpoint) -> Iterator[ModelScore]:
    """The score by which the checkpoint was chosen, where a training here kept it."""
    run = checkpoint.run
    best = run.best if run is not None else None
    if run is None or not best or best["curve"] not in METRICS:
        return
    directions = ", ".join(" to ".join(pair) for pair in checkpoint.directions)
    yield ModelScore(
        best["curve"], metric_label(best["curve"]), float(best["value"]), f"at step {best['step']}, to choose it by",
        checkpoint.study.slug, checkpoint.study.title, directions, "tune", run.counts.get("tune", 0),
    )  # fmt: skip


def _scores(checkpoint: Checkpoint, run: TransferRun) -> Iterator[ModelScore]:
    """The scores that metrics here gave all outputs of a run; those of other outputs than there are now stay out."""
    number = Output.objects.filter(system=run.system).count()
    sized = MetricScore.objects.annotate(
        outputs=Func(F("sentence_ids"), function="cardinality", output_field=IntegerField())
    )
    rows = sized.filter(system=run.system, corpus__isnull=False, outputs=number).order_by("metric")
    directions = run.direction.name if run.direction else "all directions"
    for row in rows:
        if row.metric in METRICS:
            yield ModelScore(
                row.metric, metric_label(row.metric), float(row.corpus or 0), row.signature, checkpoint.study.slug,
                checkpoint.study.title, directions, run.split, number,
            )  # fmt: skip

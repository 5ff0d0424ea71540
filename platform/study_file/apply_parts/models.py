"""The parts of a declaration that train models and run them."""

from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile, File

from foundation.errors import UserError
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.artifacts.storage import digest_of
from modelserving.models import Checkpoint, TrainingRun
from study_file.apply_parts.parts import PartsToAdd, file_name


class Models(PartsToAdd):
    """The parts that train models, and those that run them."""

    def add_models(self) -> None:
        self._trainings()
        self._runs()

    def _trainings(self) -> None:
        for spec in self.spec.trainings:
            with self.part(f"training {spec.name}") as new:
                for name, seed in spec.trained.items() if new else ():
                    start_training(
                        study=self.study, model=spec.model, name=name, options=spec.options, seed=seed,
                        direction=self.directions[spec.direction] if spec.direction else None, device=spec.device,
                        preset=spec.preset, by=self.by,
                    )  # fmt: skip

    def _runs(self) -> None:
        """Each waits for the end of its training; of several seeds all are of the family of the run's name."""
        trainings = {spec.name: spec for spec in self.spec.trainings}
        for spec in self.spec.runs:
            with self.part(f"run {spec.name}") as new:
                trained = list(trainings[spec.training].trained) if spec.training else [""]
                for name, training in zip(spec.systems, trained, strict=True) if new else ():
                    start_transfer(
                        study=self.study, model=spec.model, training=self._training(training),
                        checkpoint=self._checkpoint(spec.checkpoint), name=name, family=spec.name,
                        direction=self.directions[spec.direction] if spec.direction else None,
                        split=spec.split, settings=spec.decoding, by=self.by,
                    )  # fmt: skip

    def _training(self, name: str) -> TrainingRun | None:
        if not name:
            return None
        run = self.study.trainings.filter(name=name).first()
        if run is None:
            raise UserError("The study has no training '{name}' any more.", name=name, where="training")
        return run

    def _checkpoint(self, name: str) -> Checkpoint | None:
        """The file, imported; the study's own where it has this one already."""
        if not name:
            return None
        source = self.files.opened(name)
        if isinstance(source, Path):
            with source.open("rb") as stream:
                return self._imported(File(stream, file_name(name)))
        return self._imported(ContentFile(source, file_name(name)) if isinstance(source, bytes) else source)

    def _imported(self, file: "File[Any]") -> Checkpoint:
        known = self.study.checkpoints.filter(sha256=digest_of(file)).first()
        file.seek(0)
        return known or import_checkpoint(study=self.study, file=file, by=self.by)

import hashlib
import os
import signal
from argparse import ArgumentParser, BooleanOptionalAction
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation import preemption
from foundation.base_folder import BaseFolder, base_folder
from foundation.errors import UserError
from foundation.local_resources import VARIABLE, models_root
from foundation.options import list_options, options_as_stored, validate_options
from modelserving.management.arguments import study_named
from modelserving.models import TrainingRun
from modelserving.pretraining.options import ARCHITECTURES, PretrainingOptions
from modelserving.pretraining.outcome import state_of, write_outcome
from modelserving.pretraining.plain_texts import files_named
from modelserving.pretraining.progress import PretrainingCallbacks
from modelserving.ready_models.devices import devices_for, name_of
from modelserving.training.callbacks import Callbacks, Stopped
from modelserving.training_runs import distributed
from modelserving.training_runs.pretraining_texts import about_study, take_texts
from modelserving.transfer import TRANSFERS

OF_NEW_MODELS = ("architecture", "size", "words")
KNOWS = (
    "This model was made of the texts named here and can give parts of them back: whoever may not have the texts may "
    "not have this folder."
)


class Command(BaseCommand):
    help = (
        "Pretrain a model by denoising on a study's texts (never its test texts) or on plain text, into a folder that "
        "the models t5 and bart begin from. Ctrl-C stops it and keeps what is learnt; the same command goes on. On "
        "several GPUs: torchrun --nproc-per-node=2 manage.py pretrain ..."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--study", help="the study's short name: its texts to train on, and those to tune by")
        parser.add_argument(
            "--texts",
            action="extend",
            nargs="+",
            type=Path,
            default=[],
            help="files, or folders of .txt files; a line is a text",
        )
        parser.add_argument("--out", type=Path, required=True, help=f"a new folder, best below {VARIABLE}")
        parser.add_argument("--from", dest="base", default="", help=f"a T5 or BART below {VARIABLE} to go on from")
        for option in list_options(PretrainingOptions):
            kind: dict[str, Any] = {"type": type(option.default)}
            if isinstance(option.default, bool):
                kind = {"action": BooleanOptionalAction}
            elif option.choices:
                kind = {"choices": option.choices}
            name = f"--{option.name.replace('_', '-')}"
            parser.add_argument(name, dest=option.name, help=f"{option.help} ({option.default})", **kind)
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--device", default="auto", choices=TrainingRun.Device.values)

    def handle(
        self, *, study: str, texts: list[Path], out: Path, base: str, seed: int, device: str, **given: Any
    ) -> None:
        with preemption.listening(signal.SIGTERM, signal.SIGUSR1):
            signal.signal(signal.SIGINT, PretrainingCallbacks.stop)
            try:
                self._pretrain(study, files_named(texts), out, base, seed, device, given)
            except UserError as error:
                raise CommandError(str(error)) from error
            except Stopped:
                raise _stopped() from None
            distributed.leave()

    def _pretrain(
        self, slug: str, files: list[Path], out: Path, named: str, seed: int, device: str, given: dict[str, Any]
    ) -> None:
        if not slug and not files:
            raise UserError("Say --study, --texts, or both.")
        base = base_folder(named, ARCHITECTURES, "--from") if named else None
        options = _options(given, base)
        study = study_named(slug) if slug else None
        about = {
            **options_as_stored(options), "seed": seed, "study": slug, "files": [path.name for path in files],
            "files_digest": _digest(files), "from": {"folder": named, "digest": base.digest} if base else None,
        }  # fmt: skip
        device, first = devices_for(TRANSFERS[options.architecture], device)[0], distributed.rank() == 0
        state = state_of(out, about)
        from modelserving.pretraining.training import pretrain

        if not first:
            pretrain(None, options, Callbacks(state, seed, device), base)
            return
        callbacks = PretrainingCallbacks(state, seed, device)
        made = pretrain(take_texts(study, files, callbacks), options, callbacks, base)
        about |= {
            "study": about_study(study) if study else None, "texts": asdict(made.counts), "steps": made.steps,
            "loss": callbacks.latest.get("loss"), "validation_loss": made.validation_loss, "device": name_of(device),
            "notice": KNOWS,
        }  # fmt: skip
        write_outcome(out, made.folder, about)
        callbacks.close()
        self.stdout.write(_told(out, options.architecture))


def _stopped() -> CommandError:
    """What was learnt is kept; the status says a scheduler's script whether to start it again, as `train` does."""
    if preemption.asked():
        return CommandError(
            f"Stopped by {preemption.signal_name()}; the same command goes on.", returncode=os.EX_TEMPFAIL
        )
    return CommandError("Stopped; the same command goes on.", returncode=130)


def _options(given: dict[str, Any], base: BaseFolder | None) -> PretrainingOptions:
    """What was said, the rest by default; a model that is gone on from has its own architecture, size and pieces."""
    said = {
        option.name: given[option.name] for option in list_options(PretrainingOptions) if given[option.name] is not None
    }
    if base:
        for name in OF_NEW_MODELS:
            if name in said and (name != "architecture" or said[name] != base.architecture):
                raise UserError("A model that is gone on from keeps its own.", where=f"--{name}")
        said["architecture"] = base.architecture
    return validate_options(PretrainingOptions, said, "--")


def _digest(files: Sequence[Path]) -> str:
    whole = hashlib.sha256()
    for path in files:
        try:
            with path.open("rb") as file:
                whole.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            raise UserError("The file cannot be read ({strerror}).", strerror=error.strerror, where=str(path)) from None
    return whole.hexdigest()


def _told(out: Path, architecture: str) -> str:
    root = models_root()
    if root and root.resolve() in out.resolve().parents:
        name = out.resolve().relative_to(root.resolve())
        return f"Pretrained: {out}. Train on from it: manage.py train {architecture} --set folder={name} --study ..."
    return f"Pretrained: {out}. Put it below {VARIABLE} to train on from it with the model {architecture}."

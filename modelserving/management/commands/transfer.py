import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from corpora.models import Study
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.artifacts import storage
from modelserving.management.arguments import typed_options
from modelserving.models import Checkpoint, TrainingRun
from modelserving.outside_services.study_context import StudyContext
from modelserving.outside_services.terms import refuse_leaving
from modelserving.ready_models.devices import devices_for
from modelserving.training.checkpoint import unpack
from modelserving.transfer import TRANSFERS, Transfer
from modelserving.transfer_runs.execution import rewritten

Direction = tuple[str, str]


class Chosen(NamedTuple):
    """A kind of model, where its files are (None for a kind that needs none), and the directions it knows.

    One of a study has its options too: they say whether it sends texts outside.
    """

    kind: Transfer
    folder: Path | None
    directions: tuple[Direction, ...]
    study: Study | None = None
    options: Mapping[str, Any] = {}


class Command(BaseCommand):
    help = "Rewrite standard input, a text a line, to standard output: manage.py transfer CHECKPOINT < in > out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("checkpoint", help="a file, the number of a checkpoint, or a model that needs no training")
        parser.add_argument("--direction", default="", help="source-target; the model's only one where left out")
        parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help="options, such as beam=1")
        parser.add_argument("--device", default="auto", choices=TrainingRun.Device.values)

    def handle(self, *, checkpoint: str, direction: str, device: str, **options: Any) -> None:
        try:
            with TemporaryDirectory() as folder:
                chosen = _chosen(checkpoint, Path(folder))
                self._rewrite(chosen, _direction(chosen, direction), device, options["set"])
        except UserError as error:
            raise CommandError(str(error)) from error
        except KeyboardInterrupt:
            raise CommandError("Stopped; the lines so far are written.", returncode=130) from None
        except BrokenPipeError:
            sys.stdout = None  # whoever read our lines has gone

    def _rewrite(self, chosen: Chosen, direction: Direction, device: str, given: list[str]) -> None:
        kind, study = chosen.kind, chosen.study
        if study is not None:
            refuse_leaving(study, kind.sends_to(chosen.options))
        decoding = validate_options(kind.Decoding, typed_options(kind.Decoding, given))
        model = kind.load(chosen.folder, devices_for(kind, device)[0])
        model = model if study is None else model.within(StudyContext(study.pk))
        sys.stdin.reconfigure(encoding="utf-8", errors="strict", newline="\n")
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
        try:
            for texts in rewritten(model, tqdm(sys.stdin, unit="line", dynamic_ncols=True), direction, decoding):
                sys.stdout.writelines(f"{text}\n" for text in texts)
                sys.stdout.flush()
        except UnicodeDecodeError:
            raise UserError("The lines are not in UTF-8.", where="standard input") from None


def _chosen(named: str, folder: Path) -> Chosen:
    if named in TRANSFERS and TRANSFERS[named].needs == "nothing":
        return Chosen(TRANSFERS[named], None, TRANSFERS[named].directions)
    if Path(named).is_file():
        manifest = unpack(Path(named), folder)
        return Chosen(TRANSFERS[manifest.model], folder, manifest.directions)
    checkpoint = Checkpoint.objects.filter(pk=int(named)).first() if named.isdecimal() and len(named) < 19 else None
    if checkpoint is None:
        raise UserError(f"There is no file, no checkpoint and no untrained model '{named}'.")
    kind, options = TRANSFERS[checkpoint.model], checkpoint.manifest["options"]
    return Chosen(kind, storage.local_copy(checkpoint), tuple(checkpoint.directions), checkpoint.study, options)


def _direction(chosen: Chosen, named: str) -> Direction:
    """The direction of that name, or the only one."""
    there = {f"{source}-{target}": (source, target) for source, target in chosen.directions}
    if named in there:
        return there[named]
    if named and not there and named.count("-") == 1:
        source, target = named.split("-")
        return source, target
    if not named and len(there) == 1:
        return next(iter(there.values()))
    raise UserError(f"Say the direction: one of {', '.join(there) or 'source-target'}.", where="--direction")

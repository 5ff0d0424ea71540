import sys
from argparse import ArgumentParser
from collections.abc import Mapping
from io import TextIOWrapper
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from django.core.management.base import CommandError
from tqdm import tqdm

from accounts.management.telling import TellingCommand
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving import artifacts
from modelserving.management.arguments import typed_options
from modelserving.models import Checkpoint, TrainingRun
from modelserving.outside_services import FLAG, LinesContext, StudyContext, refuse_outside, was_restricted
from modelserving.ready_models import devices_for
from modelserving.run_context import RunContext
from modelserving.training.checkpoint import unpack
from modelserving.transfer import TRANSFERS, Transfer
from modelserving.transfer_runs import rewritten

Direction = tuple[str, str]


class Chosen(NamedTuple):
    """A kind of model, where its files are (None for a kind that needs none), and the directions it knows.

    Its `options` say whether it sends texts outside; of a file of no `study`, `restricted` says what it was made of.
    """

    kind: Transfer
    folder: Path | None
    directions: tuple[Direction, ...]
    options: Mapping[str, Any] = {}
    restricted: bool = False
    study: Study | None = None

    def context(self, may_leave: bool) -> RunContext:
        """The context that the model asks before it sends anything; a UserError where it would be refused all."""
        if self.study:
            return StudyContext(self.study.pk)
        found = LinesContext(may_leave=may_leave, restricted=self.restricted)
        if service := self.kind.sends_to(self.options):
            found.permit(service)
        return found


class Command(TellingCommand):
    help = "Rewrite standard input, a text a line, to standard output: manage.py transfer CHECKPOINT < in > out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("checkpoint", help="a file, the number of a checkpoint, or a model that needs no training")
        parser.add_argument("--direction", default="", help="source-target; the model's only one where left out")
        parser.add_argument(
            "--set", action="extend", nargs="+", default=[], metavar="NAME=VALUE", help="options, such as beam=1"
        )
        parser.add_argument("--device", default="auto", choices=TrainingRun.Device.values)
        parser.add_argument(
            FLAG, dest="may_leave", action="store_true",
            help="the lines may be sent to a service outside, which a file of a prompted model may ask; a checkpoint "
            "of a study here goes by the study's terms",
        )  # fmt: skip

    def handle(self, *, checkpoint: str, direction: str, **options: Any) -> None:
        try:
            with TemporaryDirectory() as folder:
                chosen = _chosen(checkpoint, Path(folder))
                self._rewrite(chosen, _direction(chosen, direction), options)
        except KeyboardInterrupt:
            raise CommandError("Stopped; the lines so far are written.", returncode=130) from None
        except BrokenPipeError:
            sys.stdout = None  # whoever read our lines has gone

    def _rewrite(self, chosen: Chosen, direction: Direction, given: Mapping[str, Any]) -> None:
        kind, context = chosen.kind, chosen.context(given["may_leave"])
        decoding: Any = validate_options(kind.Decoding, typed_options(kind.Decoding, given["set"]))
        context.say = self.stderr.write
        model = kind.load(chosen.folder, devices_for(kind, given["device"])[0]).within(context)
        done = 0
        cast(TextIOWrapper, sys.stdin).reconfigure(encoding="utf-8", errors="strict", newline="\n")
        cast(TextIOWrapper, sys.stdout).reconfigure(encoding="utf-8", newline="\n")
        try:
            for texts in rewritten(model, tqdm(sys.stdin, unit="line", dynamic_ncols=True), direction, decoding):
                sys.stdout.writelines(f"{text}\n" for _, text in texts)
                sys.stdout.flush()
                context.tell_refused((f"Line {done + place}", line) for place, (line, _) in enumerate(texts, 1))
                done += len(texts)
        except UnicodeDecodeError:
            raise UserError("The lines are not in UTF-8.", where="standard input") from None
        context.refuse_nothing(context.usage.calls + context.usage.kept)
        if context.usage.warning:
            self.stderr.write(context.usage.warning)


def _chosen(named: str, folder: Path) -> Chosen:
    if named in TRANSFERS and TRANSFERS[named].needs == "nothing":
        return Chosen(TRANSFERS[named], None, TRANSFERS[named].directions)
    if Path(named).is_file():
        manifest = unpack(Path(named), folder)
        kind, restricted = TRANSFERS[manifest.model], was_restricted(manifest)
        return Chosen(kind, folder, manifest.directions, manifest.options, restricted)
    checkpoint = Checkpoint.objects.filter(pk=int(named)).first() if named.isdecimal() and len(named) < 19 else None
    if checkpoint is None:
        raise UserError("There is no file, no checkpoint and no untrained model '{named}'.", named=named)
    kind = TRANSFERS[checkpoint.model]
    refuse_outside(checkpoint.study, kind, checkpoint)
    return Chosen(kind, artifacts.local_copy(checkpoint), tuple(checkpoint.directions), study=checkpoint.study)


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
    raise UserError(
        "Say the direction: one of {there}.", there=", ".join(there) or "source-target", where="--direction"
    )

import hashlib
import json
import os
import shutil
import signal
from argparse import ArgumentParser, BooleanOptionalAction
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any, cast

from django.core.management.base import CommandError

from accounts.management.telling import TellingCommand
from corpora.management.commands._base import study_named
from corpora.models import Sentence, Study
from corpora.splits import HeldOut, left_out_message
from foundation import preemption
from foundation.base_folder import BaseFolder, base_folder
from foundation.errors import UserError
from foundation.local_resources import VARIABLE, models_root
from foundation.options import list_options, options_as_stored, validate_options
from modelserving.management.arguments import BarCallbacks
from modelserving.models import TrainingRun
from modelserving.pretraining.corpus import TextFolder, files_named, lines_of
from modelserving.pretraining.options import ARCHITECTURES, PretrainingOptions
from modelserving.ready_models import devices_for, name_of
from modelserving.training.callbacks import Callbacks, Kept, Stopped
from modelserving.training.checkpoint import versions
from modelserving.training_runs import distributed
from modelserving.training_runs.dataset_snapshot import take_snapshot
from modelserving.transfer import TRANSFERS

# The data of a pretraining: a study's texts to train and tune on, never those to test on, and plain text.

TEXTS, SNAPSHOT = "texts", "data"


def take_texts(study: Study | None, files: Sequence[Path], callbacks: Callbacks) -> TextFolder:
    """Write the texts into the callbacks' folder, once; texts written there before are taken.

    Lines of files that a study holds out are left out: its own tune and test texts, and released test texts.
    """
    folder = callbacks.folder / TEXTS
    if not folder.exists():
        fresh = callbacks.folder / f".{TEXTS}"
        shutil.rmtree(fresh, ignore_errors=True)
        left = Counter[str]()
        lines = lines_of(files)
        if study:
            _with_study(study, lines, fresh, callbacks.folder / SNAPSHOT, left)
        else:
            TextFolder.write(fresh, lines)
        if left:
            callbacks.say(left_out_message(left))
        fresh.rename(folder)
    return TextFolder(folder)


def _with_study(study: Study, lines: Iterator[str], fresh: Path, snapshot: Path, left: Counter[str]) -> None:
    if len(study.styles) < 2:
        raise UserError("The study has no two styles.", where=study.slug)
    shutil.rmtree(snapshot, ignore_errors=True)
    data = take_snapshot(study, cast(tuple[str, str], tuple(study.styles)), None, snapshot, left)
    free = HeldOut(study).free(Sentence.Split.TRAIN, lines, lambda text: [text], left)
    TextFolder.write(fresh, chain(*data.texts.values(), free), chain(*data.dev_texts.values()))
    shutil.rmtree(snapshot)


def about_study(study: Study) -> dict[str, Any]:
    """The facts in pretraining.json about the study whose texts were used, and about their terms."""
    return {
        "slug": study.slug, "title": study.title, "license": study.license, "terms_version": study.terms_version,
        "terms": study.terms, "required_credentials": study.required_credentials, "restricted": study.restricted,
    }  # fmt: skip


ABOUT = "pretraining.json"
STATE = "state"  # of one that is under way
CONFIG = "config.json"
SETTINGS = "settings.json"
FORMAT = "restyle pretraining 1"


def state_of(out: Path, settings: Mapping[str, Any]) -> Path:
    """The folder of the state that it resumes from, inside `out`.

    A UserError where `out` holds something else, or a pretraining with other settings.
    """
    state = out / STATE
    if (state / SETTINGS).exists():
        _compare(json.loads((state / SETTINGS).read_text(encoding="utf-8")), settings, out)
    elif (out / ABOUT).exists():
        raise UserError("There is a pretrained model already; name another folder.", where=str(out))
    elif out.exists() and (not out.is_dir() or [one.name for one in out.iterdir() if one.name != STATE]):
        raise UserError("The folder holds something else; name a new one.", where=str(out))
    else:
        state.mkdir(parents=True, exist_ok=True)
        state.chmod(0o700)  # it holds texts
        draft = state / f".{SETTINGS}"
        draft.write_text(json.dumps(settings, ensure_ascii=False), encoding="utf-8")
        draft.rename(state / SETTINGS)
    return state


def _compare(before: Mapping[str, Any], now: Mapping[str, Any], out: Path) -> None:
    names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
    if names:
        raise UserError(
            "A pretraining with other settings was stopped here: {names} was {before}, and is {now}. "
            "Say the same, or name another folder.",
            names=names[0],
            before=str(before.get(names[0]))[:100],
            now=str(now.get(names[0]))[:100],
            where=str(out),
        )


def write_outcome(out: Path, weights: Path, about: Mapping[str, Any]) -> None:
    """Move the trained model and its facts into `out`; config.json comes last, so that half a folder is no model."""
    for path in sorted(weights.iterdir(), key=lambda one: one.name == CONFIG):
        if path.name == CONFIG:
            whole = {"format": FORMAT, **about, "versions": versions()}
            (out / ABOUT).write_text(json.dumps(whole, ensure_ascii=False, indent=1), encoding="utf-8")
        shutil.copyfile(path, out / path.name)
    shutil.rmtree(out / STATE)


POINTS = "points.json"


class PretrainingCallbacks(BarCallbacks):
    """A bar; `latest` has the last point of each curve, also where a pretraining goes on."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        path = self.folder / POINTS
        self.latest: dict[str, float] = json.loads(path.read_text()) if path.exists() else {}

    def title(self) -> str:
        return self.folder.parent.name

    def point(self, curve: str, step: int, value: float) -> None:
        super().point(curve, step, value)
        self.latest[curve] = value

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        super().keep(what, write)
        draft = self.folder / f".{POINTS}"
        draft.write_text(json.dumps(self.latest))
        draft.rename(self.folder / POINTS)


OF_NEW_MODELS = ("architecture", "size", "words")
KNOWS = (
    "This model was made of the texts named here and can give parts of them back: whoever may not have the texts may "
    "not have this folder."
)


class Command(TellingCommand):
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
    """The error of a stop, with the state kept; its status tells a scheduler's script whether to start it again."""
    if preemption.asked():
        return CommandError(
            f"Stopped by {preemption.signal_name()}; the same command goes on.", returncode=os.EX_TEMPFAIL
        )
    return CommandError("Stopped; the same command goes on.", returncode=130)


def _options(given: dict[str, Any], base: BaseFolder | None) -> PretrainingOptions:
    """The options given, the rest by default; a base that is trained further sets architecture, size and pieces."""
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

"""The reports of a training, written to its run: progress, log, curves, samples, checkpoints."""

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jobs.execution import Cancelled, Progress
from jobs.execution import Preempted as JobPreempted
from modelserving import artifacts
from modelserving.models import Checkpoint, TrainingCurve, TrainingRun
from modelserving.outside_services import RESTRICTED, StudyContext, is_restricted
from modelserving.training.callbacks import Callbacks, Kept, Preempted, Sample, Stopped
from modelserving.training.checkpoint import ENDING, Manifest, pack, versions
from modelserving.training_runs.sink_reports import SinkReports

MOST = 2000  # points


class Curve:
    """Steps and values in order. A point is the mean of `stride` values, at the step of the last of them.

    A training that resumes from a kept state reports its later points again: those from that step on give way.
    """

    def __init__(
        self, steps: Sequence[int] = (), values: Sequence[float] = (), stride: int = 1, *, thinned: bool = True
    ) -> None:
        self.steps, self.values, self.stride = list(steps), list(values), stride
        self.thinned = thinned
        self._waiting: list[float] = []
        self._last = self.steps[-1] if self.steps else -1

    def add(self, step: int, value: float) -> None:
        """Add a measurement at a step."""
        if step <= self._last:
            self._back_to(step)
        self._last = step
        self._waiting.append(value)
        if len(self._waiting) >= self.stride:
            self.steps.append(step)
            self.values.append(sum(self._waiting) / len(self._waiting))
            self._waiting = []
        if self.thinned and len(self.steps) > MOST:
            self._thin()

    def _back_to(self, step: int) -> None:
        self._waiting = []
        while self.steps and self.steps[-1] >= step:
            self.steps.pop()
            self.values.pop()

    def _thin(self) -> None:
        last = len(self.steps) // 2 * 2
        self._waiting = self.values[last:] * self.stride
        self.values = [(a + b) / 2 for a, b in zip(self.values[:last:2], self.values[1:last:2], strict=True)]
        self.steps = self.steps[1:last:2]
        self.stride *= 2


Better = TrainingCurve.Better
KEPT_FILE = "kept.json"
WRITE_EVERY_SECONDS = 1.0
UPLOAD_SHARE = 0.05  # the largest share of the time for checkpoints on their way to storage
MOST_SAMPLES = 20  # looks at the tune set that are kept
LONGEST_SAMPLE = 1000  # characters


class RunCallbacks(Callbacks):
    """The callbacks of a run that this process holds. Its folder is this machine's; storage gets the kept states.

    The last state goes to storage after the best, and both at the end: a training that resumes from storage finds a
    best state that is not older than the last one.
    """

    def __init__(self, run: TrainingRun, progress: Progress, folder: Path, device: str) -> None:
        super().__init__(folder, run.seed, device)
        self.run, self.progress = run, progress
        self.directions = directions_of(run)
        self._done, self._total = progress.job.done, progress.job.total
        rows = list(run.curves.all())
        self._curves = {row.name: _curve(row) for row in rows}
        self._better = {row.name: row.better for row in rows if row.better}
        self._changed: set[str] = set()
        self._step = 0
        self._kept = kept_in(folder)
        self._waiting: set[Kept] = set()
        self._began, self._before = time.monotonic(), run.seconds
        self._written = self._uploaded = -math.inf
        self._upload_took = 0.0
        self._asked: type[Stopped] | None = None
        self.begun: Callable[[], None] = lambda: None  # called when a first update is done
        self.reports = SinkReports(run, [], self.say)

    def at(self, done: int, total: int) -> None:
        if done > self._done:
            self.begun()
        self._done, self._total = done, total
        self._say_progress()
        if self._asked:
            raise self._asked
        if time.monotonic() - self._written >= WRITE_EVERY_SECONDS:
            self.write()

    def say(self, line: str) -> None:
        self._tell(line)

    def _tell(self, line: str) -> None:
        """Write a line; only `at` raises Stopped, where all processes of a training hear of it.

        Lines may come so often that `at`, which looks twice a second, would never look: a stop that they hear of is
        kept for it.
        """
        self._say_progress(line)

    def _say_progress(self, line: str = "") -> None:
        """Write the progress, and note a stop: a person's wish comes before the machine's."""
        try:
            self.progress.at(self._done, self._total, line)
        except Cancelled:
            self._asked = Stopped
        except JobPreempted:
            self._asked = self._asked or Preempted

    def point(self, curve: str, step: int, value: float) -> None:
        self._step = max(self._step, step)
        if math.isfinite(value):
            self._curves.setdefault(curve, Curve(thinned=curve not in self._better)).add(step, float(value))
            self.reports.point(curve, step, float(value))
            self._changed.add(curve)

    def score(self, curve: str, step: int, value: float, *, higher_is_better: bool) -> None:
        self._better[curve] = Better.HIGHER if higher_is_better else Better.LOWER
        super().score(curve, step, value, higher_is_better=higher_is_better)

    def samples(self, step: int, samples: Sequence[Sample]) -> None:
        rows = [
            {"source": _shown(sample.source), "output": _shown(sample.output), "reference": _shown(sample.reference)}
            for sample in samples
        ]
        before = [sample for sample in self.run.samples if sample["step"] < step]
        self.run.samples = [*before, {"step": step, "rows": rows}][-MOST_SAMPLES:]
        self.run.save(update_fields=["samples"])

    def keep(self, what: Kept, write: Callable[[Path], None]) -> None:
        super().keep(what, write)
        if what == "best":
            self.run.best = self._score()
        self._kept += 1
        note_kept(self.folder, self._kept)
        self._waiting.add(what)
        if time.monotonic() - self._uploaded >= self._quiet():
            self.upload()

    def run_context(self, step: Callable[[], None]) -> StudyContext:
        return StudyContext(self.run.study_id, step, self.say, job_id=self.run.job_id)

    def _quiet(self) -> float:
        """The seconds without an upload after the last one."""
        least: float = settings.CHECKPOINT_UPLOAD_SECONDS
        return least and max(least, self._upload_took / UPLOAD_SHARE)

    def upload(self) -> None:
        """Put the kept states into storage that are not there yet."""
        began = time.monotonic()
        self.write()
        for what in ("best", "last"):
            if what in self._waiting:
                self._upload(what)
        self._waiting.clear()
        self._uploaded = time.monotonic()
        self._upload_took = self._uploaded - began

    def write(self) -> None:
        """Write curves, the best score and the time so far to the run."""
        for name in self._changed:
            curve = self._curves[name]
            values = {"steps": curve.steps, "values": curve.values, "stride": curve.stride}
            values["better"] = self._better.get(name, "")
            TrainingCurve.objects.update_or_create(run=self.run, name=name, defaults=values)
        self._changed.clear()
        self.reports.send()
        self._written = time.monotonic()
        self.run.seconds = self._before + self._written - self._began
        self.run.save(update_fields=["best", "seconds"])

    def _score(self) -> dict[str, Any] | None:
        """The best tune score so far, with its name and better end; the first of equal ones, whose state is kept."""
        scores = [(self._curves[name].steps[-1], name) for name in self._better if self._scored(name)]
        if not scores:
            return None
        name = max(scores)[1]
        curve, sign = self._curves[name], 1 if self._better[name] == Better.HIGHER else -1
        place = max(range(len(curve.values)), key=lambda at: sign * curve.values[at])
        return {"curve": name, "step": curve.steps[place], "value": curve.values[place], "better": self._better[name]}

    def _scored(self, name: str) -> bool:
        return name in self._curves and bool(self._curves[name].steps)

    def _upload(self, what: Kept) -> None:
        self._tell(f"Keeping the {what} checkpoint.")  # Lost, if somebody else holds the run now
        with artifacts.scratch() as draft:
            path = draft / f"{what}{ENDING}"
            manifest = pack(self.folder / what, self._about(what), path)
            stored = artifacts.store(path, artifacts.fresh_name("checkpoints", self.run.key, what, ending=ENDING))
            fields = {"file": stored, "sha256": artifacts.digest(path), "size": path.stat().st_size}
        self._record(what, {**fields, "manifest": manifest.plain(), "made_at": timezone.now()})

    @transaction.atomic
    def _record(self, what: Kept, fields: dict[str, Any]) -> None:
        run = self.run
        before = Checkpoint.objects.filter(run=run, kind=what).values_list("file", flat=True)
        artifacts.remove_later(*before)
        name = run.name if what == "best" else f"{run.name} (last)"
        always = {"study_id": run.study_id, "model": run.model, "name": name, "made_by_id": run.job.made_by_id}
        Checkpoint.objects.update_or_create(run=run, kind=what, defaults={**always, **fields})
        run.kept = self._kept
        run.save(update_fields=["kept"])

    def _about(self, what: Kept) -> Manifest:
        run = self.run
        step = run.best["step"] if run.best and what == "best" else self._step
        trained = {
            "name": run.name, "seed": run.seed, "steps": step, "score": run.best, "data": run.data_digest,
            "seconds": round(run.seconds, 1), "device": run.device_used, "study": run.study.title,
            RESTRICTED: is_restricted(run.study_id), **({"silver": run.silver} if run.silver else {}),
        }  # fmt: skip
        return Manifest(run.model, run.options, self.directions, trained, versions())


def kept_in(folder: Path) -> int:
    """The number of states that the trainings in this folder have kept so far; 0 where nothing can be read."""
    try:
        return int(json.loads((folder / KEPT_FILE).read_text())["kept"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def note_kept(folder: Path, kept: int) -> None:
    """Write the number of states kept so far into the folder, to be compared with that in storage."""
    (folder / KEPT_FILE).write_text(json.dumps({"kept": kept}))


def directions_of(run: TrainingRun) -> tuple[tuple[str, str], ...]:
    """The directions of a model before it names them itself."""
    first, second = run.styles
    return ((first, second),) if run.direction_id else ((first, second), (second, first))


def _curve(row: TrainingCurve) -> Curve:
    return Curve(row.steps, row.values, row.stride, thinned=not row.better)


def _shown(text: str) -> str:
    """The part of the text that PostgreSQL's JSON can hold."""
    return text[:LONGEST_SAMPLE].replace("\0", "").encode("utf-8", "replace").decode()

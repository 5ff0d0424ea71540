"""The reports of a training to the programs of RESTYLE_SINKS. None of them can stop or change a training."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from modelserving.models import TrainingRun
from modelserving.sinks import Point, Report, Sink, Subject, numbers_of


class SinkReports:
    """Reports to several sinks. One that fails is left out from then on, and the log says so once."""

    def __init__(self, run: TrainingRun, sinks: Sequence[Sink], say: Callable[[str], None]) -> None:
        self._run, self._say = run, say
        self._reports: dict[str, Report] = {}
        self._waiting: list[Point] = []
        begun = run.curves.exists()
        for sink in sinks:
            folder = Path(settings.DATA, "sinks", type(sink).__module__.rpartition(".")[2])
            subject = Subject(
                run.key.hex, f"{run.model}-{run.pk}", run.model, run.study_id, folder,
                {**numbers_of(run.options), "seed": run.seed, **numbers_of(run.counts)}, begun,
            )  # fmt: skip
            self._try(sink.program, lambda: self._reports.update({sink.program: sink.begin(subject)}))  # noqa: B023 (called at once)

    def point(self, curve: str, step: int, value: float) -> None:
        """Keep a point until `send`."""
        if self._reports:
            self._waiting.append(Point(curve, step, value))

    def send(self) -> None:
        """Send the points that wait."""
        points, self._waiting = self._waiting, []
        for name, report in list(self._reports.items()) if points else ():
            self._try(name, lambda: report.points(points))  # noqa: B023 (called at once)

    @contextmanager
    def until_the_end(self) -> Iterator[None]:
        """Behind the block send what waits, the best score and the time, and close: done, or stopped by an error."""
        done = False
        try:
            yield
            done = True
        finally:
            self._end(done=done)

    def _end(self, *, done: bool) -> None:
        self.send()
        best = self._run.best or {}
        results = {"seconds": self._run.seconds, **({f"best {best['curve']}": best["value"]} if best else {})}
        for name, report in list(self._reports.items()):
            self._try(name, lambda: report.end(results, done=done))  # noqa: B023 (called at once)
        self._reports.clear()

    def _try(self, name: str, what: Callable[[], object]) -> None:
        """Libraries raise what they like, and the network of a lab fails: a training goes on without its picture."""
        try:
            what()
        except Exception as error:
            self._reports.pop(name, None)
            told = " ".join(str(error).split())[:200] or type(error).__name__
            self._say(f"{name} gets no more of this training: {told}")

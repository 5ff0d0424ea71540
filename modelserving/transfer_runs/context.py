"""What a transfer run gives to a model that asks a service outside, and what it has used so far."""

import time
from collections.abc import Iterable

from django.db import transaction

from jobs.execution.progress import JobResult, Progress
from modelserving.models import TransferRun
from modelserving.outside_services.study_context import StudyContext
from modelserving.run_context.context import Answer, Asked, Refusal
from modelserving.run_context.usage import usage_of

SAID_EVERY_SECONDS = 10.0


class TransferContext(StudyContext):
    """Hears a cancellation while the model waits, and stores what is used with each answer."""

    def __init__(self, run: TransferRun, progress: Progress) -> None:
        super().__init__(run.study_id, self._look, self._look, job_id=run.job_id)
        self.run, self.progress = run, progress
        self.usage = usage_of(run.usage)
        self._said = time.monotonic()

    def keep(self, digest: str, answer: Answer, cost: float, asked: Asked) -> None:
        with transaction.atomic():
            super().keep(digest, answer, cost, asked)
            self._store()
        if time.monotonic() - self._said > SAID_EVERY_SECONDS:
            self._said = time.monotonic()
            self._look(f"So far: {self.usage}.")

    def hold(self, cost: float) -> None:
        """Stored before the call is sent: what a lost worker had under way stays counted."""
        super().hold(cost)
        if cost > 0:
            self._store()

    def count_kept(self, number: int, models: Iterable[str]) -> None:
        super().count_kept(number, models)
        if number:
            self._store()

    def refuse(self, refusal: Refusal) -> None:
        super().refuse(refusal)
        self._store()

    def forget_refused(self) -> None:
        """Of a run that asks about those texts again."""
        if self.usage != self.usage.without_refused():
            self.usage = self.usage.without_refused()
            self._store()

    def result(self, result: JobResult) -> JobResult:
        """The result of the job, with what was used."""
        warning = " ".join(filter(None, [result.warning, self.usage.warning]))
        if not (self.usage.calls or self.usage.kept):  # of a model that asks no service
            return JobResult(result.said, warning)
        self._store()
        return JobResult(f"{result.said} {self.usage}.", warning)

    def _store(self) -> None:
        self.run.usage = self.usage.plain()
        TransferRun.objects.filter(pk=self.run.pk).update(usage=self.run.usage)

    def _look(self, line: str = "") -> None:
        """As far as it was, with a line of the log; raises where somebody asked the job to stop."""
        self.progress.at(self.progress.last["done"], self.progress.last["total"], line)

"""The tables of this room."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from foundation import processes
from jobs.titles import title_for_reader


class Job(models.Model):
    """Long work: the row that is the truth about it.

    `task` is the Celery task, which takes this row's key. A worker holds the job by `holder`; one whose heartbeat is
    old has lost it, and the sweep queues the job again. `process` is the worker's, for the watchdog of its machine.
    A job that was asked to stop (`cancel_requested`; `stop_reason` says why where no person asked) notes when it heard
    that (`stopping_at`). `attempts` counts its starts, `fruitless` how often in a row its worker was lost without
    having come further than `furthest`, the most of `done` so far. Once it is over, `told` is its result in a sentence,
    and `warning` one that somebody should look at. `study_slug` names its study (studies are a room above this one). A
    job that needs the result of another stays queued until that one is done (`after`). `awaited` names something
    outside of its queue for which it waits, in a sentence: a queued job with it is parked, and has no message.
    """

    class State(models.TextChoices):
        QUEUED = "queued", _("Queued")
        RUNNING = "running", _("Running")
        DONE = "done", _("Done")
        FAILED = "failed", _("Failed")
        CANCELLED = "cancelled", _("Cancelled")

    task = models.CharField(max_length=100)
    queue = models.CharField(max_length=20)
    title = models.CharField(max_length=200)
    study_slug = models.SlugField(max_length=80)
    state = models.CharField(max_length=10, choices=State, default=State.QUEUED)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    log = models.TextField(blank=True)
    error = models.TextField(blank=True)
    told = models.TextField(blank=True, default="", db_default="")
    warning = models.TextField(blank=True, default="", db_default="")
    holder = models.UUIDField(null=True)
    process = models.CharField(max_length=processes.LONGEST, blank=True, default="", db_default="")
    attempts = models.PositiveSmallIntegerField(default=0)
    furthest = models.PositiveIntegerField(default=0, db_default=0)
    fruitless = models.PositiveSmallIntegerField(default=0, db_default=0)
    cancel_requested = models.BooleanField(default=False)
    stop_reason = models.TextField(blank=True, default="", db_default="")
    stopping_at = models.DateTimeField(null=True)
    awaited = models.TextField(blank=True, default="", db_default="")
    heartbeat_at = models.DateTimeField(null=True)
    queued_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    after = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, related_name="followers")
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.SET_NULL, null=True, related_name="jobs")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-made_at"]
        indexes = [
            models.Index(
                fields=["heartbeat_at"], condition=models.Q(state__in=["queued", "running"]), name="job_unfinished"
            )
        ]

    def __str__(self) -> str:
        return f"{self.title} ({self.state})"

    @property
    def shown_title(self) -> str:
        """The title in the language of whoever reads it."""
        return title_for_reader(self.task, self.title)

    @property
    def is_over(self) -> bool:
        return self.state in {self.State.DONE, self.State.FAILED, self.State.CANCELLED}

    @property
    def waits_for(self) -> "Job | None":
        """The job that must be done before this one begins; None where nothing is in its way."""
        waits = self.state == self.State.QUEUED and self.after is not None and self.after.state != self.State.DONE
        return self.after if waits else None


PARKED = models.Q(state=Job.State.QUEUED) & ~models.Q(awaited="")
"""Jobs that wait for something outside, in no queue."""
UNFINISHED = (Job.State.QUEUED, Job.State.RUNNING)
"""The states of a job that is not over."""

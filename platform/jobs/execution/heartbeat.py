"""The heartbeat of a job, written while its work computes."""

import logging
import threading

from django.conf import settings
from django.db import Error as DatabaseError
from django.db import connection
from django.utils import timezone

from jobs.execution.progress import job_as_held
from jobs.models import Job

logger = logging.getLogger(__name__)


class Heartbeat(threading.Thread):
    """Writes the heartbeat while the work computes. A database that is away for a moment does not stop it."""

    def __init__(self, job: Job) -> None:
        super().__init__(daemon=True, name=f"heartbeat of job {job.pk}")
        self.job = job
        self._over = threading.Event()

    def run(self) -> None:
        while not self._over.wait(settings.JOB_HEARTBEAT_SECONDS):
            try:
                job_as_held(self.job).update(heartbeat_at=timezone.now())
            except DatabaseError:
                logger.warning("%s was missed", self.name, exc_info=True)
            finally:
                connection.close()  # to the pool: between two beats nobody needs it

    def stop(self) -> None:
        self._over.set()
        self.join()

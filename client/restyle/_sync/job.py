# Made by `python -m tools.client` of the file of this name in _async: change that one.
"""Long work of a study, and waiting for it."""

from time import monotonic
from typing import cast

from restyle import types
from restyle._sync.transport import Transport
from restyle.errors import JobFailed, NoAnswer, SiteFailed
from restyle.progress import Bar, Progress, line_of
from restyle.waiting import sleep

FIRST, LONGEST = 0.2, 3.0  # seconds between two looks, longer each time


class Job:
    """A job; `data` is its last known state."""

    def __init__(self, transport: Transport, study: str, number: int, data: types.Job | None = None) -> None:
        self._transport, self._path = transport, f"studies/{study}/jobs/{number}/"
        self.number = number
        self.data = data

    def refresh(self) -> types.Job:
        """Its state now, with its log and what it waits for."""
        self.data = cast(types.Job, self._transport.json("GET", self._path))
        return self.data

    def wait(self, progress: Progress = None) -> types.Job:
        """Wait until it is over; JobFailed where it failed or was cancelled. Ctrl-C leaves it running on the site.

        A site that is away meanwhile, as during its upgrade, is waited for, too.
        """
        pause, heard = FIRST, monotonic()
        with Bar(progress) as bar:
            while True:
                try:
                    job = self.refresh()
                except (NoAnswer, SiteFailed):
                    if monotonic() - heard > self._transport.patience.away:
                        raise
                    bar.away(self.data)
                    sleep(pause)
                    continue
                heard = monotonic()
                bar.show(job)
                if job["state"] not in ("queued", "running"):
                    break
                sleep(pause)
                pause = min(LONGEST, pause * 1.3)
        if job["state"] != "done":
            raise JobFailed(f"{job['title']}: {job['error'] or job['state']}", dict(job))
        return job

    def cancel(self) -> types.Job:
        """Ask it to stop at its next step."""
        self.data = cast(types.Job, self._transport.json("POST", f"{self._path}cancel/"))
        return self.data

    def retry(self) -> types.Job:
        """Run it again where it failed or was cancelled."""
        self.data = cast(types.Job, self._transport.json("POST", f"{self._path}retry/"))
        return self.data

    def __repr__(self) -> str:
        return f"<Job {self.number}{f' {line_of(self.data)}' if self.data else ''}>"

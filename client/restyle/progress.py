"""Progress over jobs: a bar of tqdm where it is installed, a line that is written over where it is not."""

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from shutil import get_terminal_size
from typing import Any, cast

from restyle.types import Job

Progress = bool | None | Callable[[Job], object]
"""True for a bar, False for none, None for one where somebody looks on, or a function that gets each state of a job."""


class Bar(AbstractContextManager["Bar"]):
    """The progress of one job."""

    def __init__(self, progress: Progress) -> None:
        self._tell = progress if callable(progress) else None
        self._wanted = progress is True or (progress is None and is_watched())
        self._bar: Any = None
        self._said = ""

    def show(self, job: Job) -> None:
        if self._tell is not None:
            self._tell(job)
        elif self._wanted:
            self._draw(job)

    def away(self, job: Job | None) -> None:
        """Say that the site does not answer, beside the job's last known state; a function is told states alone."""
        if job is not None and self._tell is None and self._wanted:
            self._draw(cast(Job, {**job, "waits": "the site does not answer; still waiting"}))

    def _draw(self, job: Job) -> None:
        tqdm = _tqdm()
        if tqdm is None:
            self._line(line_of(job))
            return
        if self._bar is None:
            self._bar = tqdm(desc=job["title"], total=job["total"] or None, leave=False)
        self._bar.total = job["total"] or None
        self._bar.n = job["done"]
        self._bar.set_postfix_str(job.get("waits") or job["state"], refresh=True)

    def _line(self, text: str) -> None:
        text = text[: get_terminal_size().columns - 1]  # a line that wraps cannot be written over
        if text != self._said:
            sys.stderr.write(f"\r{text.ljust(len(self._said))}")
            sys.stderr.flush()
            self._said = text

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()
        if self._said:
            sys.stderr.write("\n")


def line_of(job: Job) -> str:
    """A job in a line: its title, how far it is, and what it waits for."""
    far = f" {job['done']}/{job['total']}" if job["total"] else ""
    waits = f" ({job['waits']})" if job.get("waits") else ""
    return f"{job['title']}: {job['state']}{far}{waits}"


def is_watched() -> bool:
    """Whether a person sees the output: a terminal, or a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def _tqdm() -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm

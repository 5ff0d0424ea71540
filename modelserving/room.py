"""The room for a model beside what its machine does: free memory, and a place on its GPUs.

Quick runs go on beside a training (`jobs.queues`). A run begins only where about twice the bytes of its weights are
free; else it waits in the queue of long work, which does one thing at a time. On a GPU a training begins when no quick
run is there, and no quick run begins until the training has made its first update: then it holds all that it needs, and
what is free is true.
"""

import fcntl
import os
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from foundation.errors import UserError
from foundation.model_folders import required_folder
from foundation.translation import translatable, translate
from jobs.execution import Progress, TooLarge
from jobs.models import Job
from jobs.queues import LONG
from modelserving.models import TransferRun
from modelserving.pretrained.folder_list import free_memory
from modelserving.ready_models import CPU, devices_for
from modelserving.transfer import TRANSFERS

TIMES = 2  # the bytes of the weights: they are read into memory, and a batch is worked on
LOOK_SECONDS = 0.5
PATIENCE_SECONDS = 60.0  # of a quick run, for a training that begins


def weights_of(run: TransferRun) -> int:
    """The bytes of the weights that a run loads: its checkpoint's, and those of the folder that it names."""
    return (run.checkpoint.size if run.checkpoint else 0) + _bytes_below(_folder(run))


def device_of(run: TransferRun) -> str:
    """Where a run's model is loaded: a prompted one of a folder goes onto a GPU, one of a service onto none."""
    kind = TRANSFERS[run.model]
    if kind.prompts and _folder(run):
        import torch

        return "cuda:0" if torch.cuda.is_available() else CPU
    return devices_for(kind, "auto")[0]


def _folder(run: TransferRun) -> str:
    options = {**(run.checkpoint.manifest["options"] if run.checkpoint else {}), **run.settings}
    return str(options.get("folder") or "")


def _bytes_below(folder: str) -> int:
    try:
        place = required_folder(folder, "folder", "a model") if folder else None
    except UserError:  # the model itself says what is wrong with it
        return 0
    return sum(one.stat().st_size for one in place.rglob("*") if one.is_file()) if place else 0


def require_room(needed: int, device: str) -> None:
    """Raise TooLarge where the device has not so many free bytes."""
    free = free_memory(device)
    if free is not None and needed > free:
        raise TooLarge(
            f"It needs about {needed / 1e9:,.1f} GB of memory, and {free / 1e9:,.1f} GB are free beside what else is"
            f" done here: it waits in the queue {LONG}, before the jobs that wait there."
        )


def first_with_room(
    devices: Sequence[str], needed: int, free: Callable[[str], int | None] = free_memory
) -> str:  # fmt: skip
    """The first of the devices that has so many free bytes; the processor where no GPU has."""
    return next((one for one in devices if (there := free(one)) is None or there >= needed), CPU)


@contextmanager
def room_for(run: TransferRun, job: Job, progress: Progress) -> Iterator[None]:
    """The room of a quick run while the block lasts; TooLarge where there is none. A long run has its turn."""
    if job.queue == LONG:
        yield
        return
    place, device = GpuPlace(), device_of(run)
    try:
        if device != CPU:
            place.wait(
                job,
                progress,
                translatable("A training begins on the GPU; the run begins when it has."),
                PATIENCE_SECONDS,
            )
        require_room(TIMES * weights_of(run), device)
        yield
    finally:
        place.leave()


class GpuPlace:
    """A place on the GPUs of this machine's data folder, which one process has; the kernel frees that of a dead one."""

    def __init__(self) -> None:
        self._file: int | None = None

    def take(self, step: Callable[[], None], patience: float | None = None) -> None:
        """Wait for it; `step` is called at each look. TooLarge where `patience` (seconds) is over."""
        folder = Path(settings.WORK_FOLDER)
        folder.mkdir(parents=True, exist_ok=True)
        file = os.open(folder / "gpu-place", os.O_RDWR | os.O_CREAT, 0o600)
        until = None if patience is None else time.monotonic() + patience
        try:
            while not _locked(file):
                step()
                if until is not None and time.monotonic() >= until:
                    raise TooLarge(
                        translate("A training begins on the GPU: it waits in the queue {queue}.", queue=LONG)
                    )
                time.sleep(LOOK_SECONDS)
        except BaseException:
            os.close(file)
            raise
        self._file = file

    def wait(self, job: Job, progress: Progress, sentence: str, patience: float | None = None) -> None:
        """Take it as the job, whose row has the sentence meanwhile. Raises whatever stops the job, and TooLarge."""

        def look() -> None:
            Job.objects.filter(pk=job.pk).update(awaited=sentence)
            progress.at(job.done, job.total)

        self.take(look, patience)
        Job.objects.filter(pk=job.pk).exclude(awaited="").update(awaited="")

    def leave(self) -> None:
        """Give it back, if it is held."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def _locked(file: int) -> bool:
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True

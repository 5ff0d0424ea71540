"""Backups by the clock: one a day into the place of RESTYLE_BACKUPS, where the newest are kept."""

import re
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.core.files.storage import Storage, storages
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from backup.creation import Made, Step, write_backup
from backup.local_file import UNFINISHED, write_file
from foundation.errors import UserError, first_five
from jobs.execution import JobResult, Progress
from jobs.models import Job

TASK = "config.tasks.back_up"
PLACE = "backups"  # the entry of STORAGES
NAME = "restyle-{:%Y%m%d-%H%M%S-%f}.zip"
OURS = re.compile(r"restyle-\d{8}-\d{6}-\d{6}\.zip")
PART_OF_UPLOAD = 64 << 20  # bytes; S3 takes 10,000 parts


def is_due(now: datetime) -> bool:
    """Whether no backup was begun since the hour came last: one that the clock slept through is made up for."""
    moment = now.astimezone(UTC).replace(hour=settings.BACKUP_HOUR, minute=0, second=0, microsecond=0)
    moment -= timedelta(days=1) if moment > now else timedelta()
    return not Job.objects.filter(task=TASK, made_at__gte=moment).exists()


def back_up(job: Job, progress: Progress) -> JobResult:
    """Write a backup into its place, and remove the oldest beyond as many as are kept."""
    if PLACE not in settings.STORAGES:
        raise UserError("There is no place for backups here: set RESTYLE_BACKUPS where workers run.")
    place = storages[PLACE]
    name = NAME.format(datetime.now(UTC))
    made = _write(place, name, progress.at)
    gone = _keep_the_newest(place)
    return JobResult(_said(name, made, gone), _lost(made))


def _write(place: Storage, name: str, step: Step) -> Made:
    try:
        path = Path(place.path(name))
    except NotImplementedError:
        return _upload(place, name, step)
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    for left in path.parent.glob(f"restyle-*.zip{UNFINISHED}"):
        left.unlink()  # of a worker that was lost: no two of these are made at once
    return write_file(path, key=settings.BACKUP_KEY, step=step)


def _upload(place: Storage, name: str, step: Step) -> Made:
    """To S3, in parts; it shows the object once it is whole."""
    stream = place.open(name, "wb")
    stream.buffer_size = PART_OF_UPLOAD  # type: ignore[attr-defined]
    try:
        with stream:
            return write_backup(stream, key=settings.BACKUP_KEY, step=step)
    except BaseException:
        with suppress(Exception):
            place.delete(name)  # closing it made an object of what there was
        raise


def _keep_the_newest(place: Storage) -> int:
    names = sorted(name for name in place.listdir("")[1] if OURS.fullmatch(name))
    old = names[: -settings.BACKUPS_KEPT]
    for name in old:
        place.delete(name)
    return len(old)


def _said(name: str, made: Made, gone: int) -> str:
    files = ngettext("{n} file", "{n} files", made.files).format(n=made.files)
    what = _("{name}: the site as of {moment} UTC, {size} MB with {files}.").format(
        name=name, moment=date_format(made.at, "Y-m-d H:i"), size=f"{made.size / 1e6:,.1f}", files=files
    )
    older = ngettext("{n} older backup was removed.", "{n} older backups were removed.", gone).format(n=gone)
    return f"{what} {older}" if gone else what


def _lost(made: Made) -> str:
    return _("Storage has lost: {names}.").format(names=first_five(made.lost)) if made.lost else ""

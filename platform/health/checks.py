"""Checks of all parts that the site needs, one a part, each with a sentence where it is not there.

A check says no secrets: no address, no name of a server, no traceback.
"""

import errno
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from pkgutil import iter_modules
from typing import Any
from uuid import uuid4

import psycopg
import redis
from django.apps import apps
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.utils.translation import gettext_lazy, ngettext, pgettext_lazy

from foundation.translation import translatable
from health.direct_query import ask
from jobs.workers import quick_client, unserved_queues


class Unwell(Exception):
    """One sentence for whoever asks."""


def database() -> None:
    """PostgreSQL answers."""
    _ask("SELECT 1")


def migrations() -> None:
    """The database is of this version, or of a later one."""
    applied = set(_ask("SELECT app, name FROM django_migrations"))
    lacking = len(_known() - applied)
    if lacking:
        which = ngettext(
            "{n} migration is not applied: type ./manage.py migrate.",
            "{n} migrations are not applied: type ./manage.py migrate.",
            lacking,
        )
        raise Unwell(which.format(n=lacking))


def disk() -> None:
    """This machine's own disk has room for uploads, and for this process's files."""
    for folder in (settings.DATA, tempfile.gettempdir()):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                file.write(b"0" * TRIED_BYTES)
                file.flush()
        except OSError as error:
            full = error.errno in (errno.ENOSPC, errno.EDQUOT)
            raise Unwell(
                translatable("The disk is full.") if full else translatable("The disk cannot be written.")
            ) from None


def queue() -> None:
    """Redis answers."""
    try:
        with quick_client() as client:
            client.ping()
    except redis.RedisError:
        raise Unwell(translatable("Redis does not answer.")) from None


def storage() -> None:
    """A file can be written where machines share them."""
    try:
        default_storage.delete(default_storage.save(f"health/{uuid4().hex}", ContentFile(b"well")))
    except Exception:  # a folder's errors or those of any client of S3
        raise Unwell(translatable("No file can be written in the storage.")) from None


def workers() -> None:
    """Each queue that is to be served has a worker that gave a sign lately."""
    try:
        alone = unserved_queues(settings.READY_QUEUES)
    except redis.RedisError:
        raise Unwell(translatable("Redis does not answer, so nothing is known of the workers.")) from None
    if alone:
        raise Unwell(translatable("No worker responds for {queues}.").format(queues=", ".join(alone)))


CHECKS: dict[str, Callable[[], None]] = {
    "database": database, "migrations": migrations, "disk": disk, "redis": queue, "storage": storage,
    "workers": workers,
}  # fmt: skip
LABELS = {
    "database": gettext_lazy("Database"), "migrations": gettext_lazy("Migrations"), "disk": gettext_lazy("Disk"),
    "redis": "Redis", "storage": gettext_lazy("Storage"), "workers": pgettext_lazy("processes", "Workers"),
}  # fmt: skip
# Without these a node answers nobody. Other parts, which all nodes share or only jobs need, take no node out: pages
# that need them say so, and people annotate on.
SERVES_PEOPLE = ("database", "migrations", "disk")
TRIED_BYTES = 64 << 10
KEPT_SECONDS = {"storage": 20.0}  # how long an answer holds; for the others a second
USUALLY_KEPT = 1.0


def _ask(statement: str) -> list[tuple[Any, ...]]:
    try:
        return ask(statement)[0]
    except psycopg.errors.UndefinedTable:
        return []
    except psycopg.Error:
        raise Unwell(translatable("PostgreSQL does not answer.")) from None


@cache
def _known() -> set[tuple[str, str]]:
    """The migrations of this version, by the names of their files: loaded, a hundred modules would stay in memory."""
    folders = {app.label: Path(app.path, "migrations") for app in apps.get_app_configs()}
    return {(label, one.name) for label, folder in folders.items() for one in iter_modules([str(folder)])}

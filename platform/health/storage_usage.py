"""The used and the free bytes of the storage that machines share."""

import os
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.files.storage import default_storage

COUNTED_WITHIN = 2.0  # seconds; the counts of a storage with more files than can be counted meanwhile are "at least"
KEPT_SECONDS = 300
PLACE = "health:storage"
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="storage")


STORAGE: Any = default_storage  # a folder, or a bucket of S3


def storage_row() -> dict[str, Any]:
    """Its place, the bytes and files in it (`whole`: all were counted), the free bytes: None where nobody can know.

    Counted every five minutes. Raises TimeoutError where the storage does not answer, and the errors of its client.
    """
    found = cache.get(PLACE)
    if found is None:
        found = _thread.submit(_look).result(2 * COUNTED_WITHIN)
        cache.set(PLACE, found, KEPT_SECONDS)
    return dict(found)


def _look() -> dict[str, Any]:
    place, of_s3 = STORAGE.location, hasattr(STORAGE, "bucket_name")
    used, files, whole = _counted(_in_bucket() if of_s3 else _in_folder(Path(place)))
    return {
        "place": f"s3://{STORAGE.bucket_name}/{place}" if of_s3 else str(place),
        "used_bytes": used, "files": files, "whole": whole, "free_bytes": None if of_s3 else _free(Path(place)),
    }  # fmt: skip


def _in_bucket() -> Iterator[int]:
    """The size of each file."""
    return (one.size for one in STORAGE.bucket.objects.filter(Prefix=STORAGE.location))


def _in_folder(folder: Path) -> Iterator[int]:
    for where, _folders, files in os.walk(folder):
        for name in files:
            try:
                yield os.stat(os.path.join(where, name)).st_size
            except FileNotFoundError:  # it was removed meanwhile
                continue


def _counted(sizes: Iterator[int]) -> tuple[int, int, bool]:
    used, files, until = 0, 0, time.monotonic() + COUNTED_WITHIN
    for size in sizes:
        used, files = used + size, files + 1
        if time.monotonic() > until:
            return used, files, False
    return used, files, True


def _free(folder: Path) -> int:
    """The free bytes of the disk where the folder is, or will be."""
    return shutil.disk_usage(next(one for one in (folder, *folder.parents) if one.exists())).free

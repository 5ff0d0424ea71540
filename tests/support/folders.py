"""Folders that another system user may pass through."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def data_folder(name: str) -> Iterator[Path]:
    """A folder for the data of a site of its own, removed afterwards.

    Not pytest's: as root the embedded servers run as a user of their own, and every other run of pytest closes the
    folder above pytest's to all but root.
    """
    folder = Path(tempfile.mkdtemp(prefix=f"restyle-{name}-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)

"""A folder with a file system of its own, which can really be filled."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(size: str) -> Iterator[Path]:
    """The folder, with so much space (112m). Skips where no file system can be mounted."""
    folder = Path(tempfile.mkdtemp(prefix="restyle-full-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={size},mode=0755", "tmpfs", folder]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        folder.rmdir()
        pytest.skip("no file system can be mounted here: that takes root's rights")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", folder], check=True)  # a process that has ended may leave it a moment later
        folder.rmdir()

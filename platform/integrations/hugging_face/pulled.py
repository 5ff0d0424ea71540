"""A pulled data set as one archive for the importers, which decide what its files are."""

from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

RELEASE = "release"
"""The folder with the own files of a release that Restyle pushed."""


def packed(folder: Path, archive: Path) -> tuple[Path, int, bool]:
    """(the archive, its files, whether it is gold): of a release pushed by Restyle its own files, else all tables."""
    own = folder / RELEASE
    gold = own.is_dir() and any(own.glob("gold.*"))
    files = sorted(path for path in (own if gold else folder).rglob("*") if path.is_file())
    files = [path for path in files if ".cache" not in path.relative_to(folder).parts]
    with ZipFile(archive, "w", ZIP_DEFLATED) as made:
        for path in files:
            made.write(path, path.relative_to(own if gold else folder).as_posix())
    return archive, len(files), gold

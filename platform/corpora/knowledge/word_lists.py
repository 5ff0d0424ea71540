"""Where the lists are: the files shipped here, each replaced by one of the same name in the user's folder.

The folder is the environment's RESTYLE_KNOWLEDGE, read here so that a notebook and the site find the same files.
"""

import hashlib
import os
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from foundation.errors import UserError

SHIPPED = Path(__file__).parent / "data"
VARIABLE = "RESTYLE_KNOWLEDGE"


def own_folder(folder: Path | None = None) -> Path | None:
    """`folder`, or the one that the environment names, or None. A UserError where it is no folder."""
    named = os.environ.get(VARIABLE, "")
    chosen = folder or (Path(named) if named else None)
    if chosen is not None and not chosen.is_dir():
        raise UserError(
            "This is not a folder; {variable} names the folder with your own lists.",
            variable=VARIABLE,
            where=str(chosen),
        )
    return chosen


def chosen(name: str, folder: Path | None = None) -> Path:
    """The file `name` of the user's folder where it is there, or else the shipped one."""
    own = own_folder(folder)
    return own / name if own is not None and (own / name).is_file() else SHIPPED / name


def stamp(path: Path) -> int:
    """When the file was last changed, in nanoseconds: a list that was read is read again once it has changed."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        raise UserError("The file cannot be read.", where=str(path)) from None


def digest(path: Path) -> str:
    """8 hexadecimal digits of the SHA-256 of a list, for signatures."""
    return _digest(path, stamp(path))


@lru_cache(maxsize=8)
def _digest(path: Path, changed: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1; a line that begins with `#` and a space is a comment.

    A UserError where the file cannot be read or is not UTF-8.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError:
        raise UserError("The file cannot be read.", where=str(path)) from None
    except UnicodeDecodeError:
        raise UserError("The file is not in UTF-8; save it as UTF-8 and try again.", where=str(path)) from None
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip() and not line.startswith("# "):
            yield number, line.rstrip("\r")

"""Functions as machine code, made at their first call and kept for other processes.

They are kept in NUMBA_CACHE_DIR, else beside their files in `__pycache__`, else in the user's `~/.cache/restyle`, by
the digest of all those files: Numba itself does not see that a function of another file has changed. Where none of
these can be written, each process compiles anew, which takes it about a minute of processor time.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from numba import config, njit

Function = TypeVar("Function", bound=Callable[..., Any])
HERE = Path(__file__).parent


def compiled(function: Function) -> Function:
    """The function as machine code that lets other threads run beside it."""
    try:
        made: Any = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # Numba found no folder to keep it in
        made = njit(nogil=True)(function)
    return cast(Function, made)


def _kept_in() -> str:
    """The folder for these files as they are now."""
    given = getattr(config, "CACHE_DIR", "")
    beside = HERE / "__pycache__"
    place = Path(given) if given else beside if _writable(beside) else Path.home() / ".cache" / "restyle"
    contents = [path.read_bytes() for path in sorted(HERE.glob("*.py"))]
    compiled_files = b"".join(each for each in contents if b"@compiled" in each)
    return str(place / f"compiled-{hashlib.sha256(compiled_files).hexdigest()[:16]}")


def _writable(folder: Path) -> bool:
    return os.access(folder if folder.exists() else folder.parent, os.W_OK)


vars(config)["CACHE_DIR"] = _kept_in()

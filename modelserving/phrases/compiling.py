"""Functions as machine code, made at their first call and kept beside their file.

Numba keeps what it compiled in the package's `__pycache__`, else in the user's cache folder; NUMBA_CACHE_DIR names
another. Where none of them can be written, each process compiles anew.
"""

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def compiled(function: Function) -> Function:
    """The function as machine code that lets other threads run beside it."""
    try:
        made: Any = njit(cache=True, nogil=True)(function)
    except RuntimeError:  # no folder to keep it in
        made = njit(nogil=True)(function)
    return cast(Function, made)

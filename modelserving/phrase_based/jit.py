"""Functions as machine code, made at their first call and kept for other processes.

They are kept in NUMBA_CACHE_DIR, else beside their files in `__pycache__`, else in the user's `~/.cache/restyle`, by
the digest of all those files: Numba itself does not see that a function of another file has changed. One process
compiles at a time, and those that waited find what they need. Where none of these folders can be written, each process
compiles anew, which takes it about 40 seconds of processor time.

Compiling a function more than once costs most. So arrays that come from a table are read-only like those of files (see
`PhraseTable.fixed`), and a literal number, as in `found = 0`, is passed to functions as any number.
"""

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np
from numba import config, njit
from numba.core.types import unliteral

from foundation.disk import exclusive_lock
from modelserving.phrase_based.phrase_table import Offsets, Records, WordIds

Function = TypeVar("Function", bound=Callable[..., Any])
HERE = Path(__file__).parent
MARKS = (b"@compiled", b"@within")


def compiled(function: Function) -> Function:
    """The function as machine code that lets other threads run beside it."""
    made = _made(function, nogil=True)
    compiling = made._compile_for_args

    def by_turns(*args: Any, **kws: Any) -> Any:
        with _alone():
            return compiling(*args, **kws)

    made._compile_for_args = by_turns
    return cast(Function, made)


def within(function: Function) -> Function:
    """The same for a function that only compiled ones call: it has no wrapper for calls from Python."""
    return cast(Function, _made(function, no_cpython_wrapper=True))


def _made(function: Callable[..., Any], **given: bool) -> Any:
    make: Any = njit
    try:
        made = make(cache=True, no_cfunc_wrapper=True, **given)(function)
    except RuntimeError:  # Numba found no folder to keep it in
        made = make(no_cfunc_wrapper=True, **given)(function)
    resolve = made.get_call_template
    made.get_call_template = lambda args, kws: resolve(tuple(map(unliteral, args)), kws)
    return made


@contextmanager
def _alone() -> Iterator[None]:
    """Hold the lock of the folder where code is kept, if there is one; waits until it is free."""
    with ExitStack() as held:
        with suppress(OSError):
            place = Path(vars(config)["CACHE_DIR"] or _kept_in())  # "" would be the folder that one is in
            place.mkdir(parents=True, exist_ok=True)
            held.enter_context(exclusive_lock(place / "lock"))
        yield


def _kept_in() -> str:
    """The folder for these files as they are now."""
    given = getattr(config, "CACHE_DIR", "")
    beside = HERE / "__pycache__"
    place = Path(given) if given else beside if _writable(beside) else Path.home() / ".cache" / "restyle"
    contents = [path.read_bytes() for path in sorted(HERE.glob("*.py"))]
    compiled_files = b"".join(each for each in contents if any(mark in each for mark in MARKS))
    return str(place / f"compiled-{hashlib.sha256(compiled_files).hexdigest()[:16]}")


def _writable(folder: Path) -> bool:
    return os.access(folder if folder.exists() else folder.parent, os.W_OK)


vars(config)["CACHE_DIR"] = _kept_in()


@within
def copy(of: WordIds, to: WordIds) -> None:
    """Write an array into another one of its length."""
    for i in range(len(of)):
        to[i] = of[i]


# Sets of whole numbers for compiled code: open addressing; a number's slot is the key to its data.

EMPTY = -1


def empty_set(count: int) -> Offsets:
    """An empty set for `count` numbers of at least 0: a power of two of slots, at most half of them taken."""
    return np.full(1 << max(1, 2 * count - 1).bit_length(), EMPTY, dtype=np.int64)


@within
def mix_bits(number: int) -> int:
    """The number with its bits spread over all places."""
    found = np.uint64(number) * np.uint64(0x9E3779B97F4A7C15)
    return np.int64(found ^ (found >> np.uint64(32)))  # type: ignore[return-value]


@within
def find(keys: Offsets, key: int) -> int:
    """The slot of a number, -1 where it is not there."""
    last = len(keys) - 1
    slot = mix_bits(key) & last
    while keys[slot] != key:
        if keys[slot] == EMPTY:
            return -1
        slot = (slot + 1) & last
    return slot


@within
def insert(keys: Offsets, key: int) -> int:
    """The slot of a number, which is added where it is not there."""
    last = len(keys) - 1
    slot = mix_bits(key) & last
    while keys[slot] != key and keys[slot] != EMPTY:
        slot = (slot + 1) & last
    keys[slot] = key
    return slot


# A heap of the places of records that have a `priority`: the highest on top, the earlier one among equals.


@within
def push(heap: Offsets, size: int, records: Records, item: int) -> int:
    """The size with the item in it."""
    at = size
    while at:
        above = (at - 1) >> 1
        if not comes_before(records, item, heap[above]):
            break
        heap[at] = heap[above]
        at = above
    heap[at] = item
    return size + 1


@within
def pop(heap: Offsets, size: int, records: Records) -> int:
    """The top item; the heap is one shorter then."""
    top, item, size, at = heap[0], heap[size - 1], size - 1, 0
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and comes_before(records, heap[below + 1], heap[below]):
            below += 1
        if not comes_before(records, heap[below], item):
            break
        heap[at] = heap[below]
        at = below
    heap[at] = item
    return int(top)


@within
def comes_before(records: Records, one: int, other: int) -> bool:
    """Whether one comes before another."""
    a, b = records[one]["priority"], records[other]["priority"]
    return bool(a > b or (a == b and one < other))

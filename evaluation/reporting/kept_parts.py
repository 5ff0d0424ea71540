"""Parts of a report that are kept, by what they are made from.

Those that ask for no metric stand when a metric is added, chosen anew or left out, the others when people judge more.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np
import orjson

from evaluation.resampling import Bootstrap


class Store(Protocol):
    """Where parts are kept."""

    def get(self, key: str) -> bytes | None:
        """The kept part, or None."""

    def put(self, key: str, made: bytes) -> None:
        """Keep it, for as long as there is room."""


class Apart:
    """A store as a forked process has it: what it puts there is in `made`, for the process that it is a copy of."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.made: dict[str, bytes] = {}

    def get(self, key: str) -> bytes | None:
        return self._store.get(key)

    def put(self, key: str, made: bytes) -> None:
        self.made[key] = made


class KeptParts:
    """Parts by all that they are made from. Without a store each is made anew."""

    def __init__(self, store: Store | None = None) -> None:
        self._store = store

    def of(self, name: str, made_from: Sequence[Any], make: Callable[[], Any]) -> Any:
        """The part as JSON has it, from the store or made.

        Args:
            name: The kind of part.
            made_from: All that the numbers follow from: arrays, samples, and what orjson writes.
            make: Makes it.
        """
        if self._store is None:
            return orjson.loads(_dumped(make()))
        key = f"{name}:{digest(made_from)}"
        if (kept := self._store.get(key)) is None:
            kept = _dumped(make())
            self._store.put(key, kept)
        return orjson.loads(kept)


def digest(made_from: Sequence[Any]) -> str:
    """BLAKE2 of arrays with their types and shapes, of samples by what they are drawn from, and of all else as JSON."""
    hashed = hashlib.blake2b(digest_size=24)
    for given in made_from:
        if isinstance(given, Bootstrap):
            hashed.update(digest([given.names, given.beside, [given.seed, len(given.weights)]]).encode())
        elif isinstance(given, np.ndarray):
            hashed.update(f"{given.dtype.str}{given.shape}".encode())
            hashed.update(np.ascontiguousarray(given).tobytes())
        else:
            hashed.update(orjson.dumps(given))
        hashed.update(b"\0")
    return hashed.hexdigest()


def _dumped(made: Any) -> bytes:
    return orjson.dumps(made, option=orjson.OPT_SERIALIZE_NUMPY)

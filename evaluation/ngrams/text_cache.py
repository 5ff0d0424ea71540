"""A cache of what was computed from texts, bounded by characters: a number of texts alone would not bound it."""

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class TextCache(Generic[Made]):
    """Results by key, of so many characters of text in all; where there is no more room, the older half goes."""

    def __init__(self, characters: int) -> None:
        self.room = characters
        self._made: dict[Hashable, tuple[Made, int]] = {}

    def of(self, key: Hashable, make: Callable[[], Made], characters: int) -> Made:
        """What `make()` gave for this key, which stands for so many characters."""
        known = self._made.get(key)
        if known is not None:
            return known[0]
        result = make()
        if characters >= self.room:
            self._forget()
        if characters < self.room:
            self.room -= characters + 1
            self._made[key] = (result, characters + 1)
        return result

    def _forget(self) -> None:
        for key in list(self._made)[: (len(self._made) + 1) // 2]:
            self.room += self._made.pop(key, (None, 0))[1]

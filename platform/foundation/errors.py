"""Errors that a person reads: one sentence that names the place and ends with a full stop."""

from collections.abc import Iterable

SHOWN = 5


class UserError(Exception):
    """Something the user can put right. `str(error)` is shown to them as it stands.

    `where` names the place (a file, a line, a key, a field); it is put before the sentence.
    """

    def __init__(self, sentence: str, *, where: str = "") -> None:
        self.sentence = sentence
        self.where = where
        super().__init__(f"{where}: {sentence}" if where else sentence)


def first_five(places: Iterable[object]) -> str:
    """'3, 7, 9, 12, 15 and 4 more': the first five of the places, and how many are left out."""
    listed = [str(place) for place in places]
    shown = ", ".join(listed[:SHOWN])
    left = len(listed) - SHOWN
    return f"{shown} and {left} more" if left > 0 else shown

"""Errors that a person reads: one sentence that names the place and ends with a full stop."""

from collections.abc import Callable, Iterable

from foundation.translation import grouped, translated

SHOWN = 5
LONGEST, LONGEST_PLACE = 4000, 400


class UserError(Exception):
    """Something the user can put right. `str(error)` is shown to them as it stands.

    The sentence is given whole, or with the places of `values` in braces: UserError("There is no file {name}.",
    name=name). It is translated when it is read, in the reader's language. `where` names the place (a file, a line, a
    key, a field); it is put before the sentence. Quotations from long texts are cut to a length that somebody reads.
    """

    def __init__(self, sentence: str, *, where: str = "", **values: object) -> None:
        self.template, self.values = sentence, values
        self.where = _short(where, LONGEST_PLACE)
        super().__init__(str(self))

    def __reduce__(self) -> tuple[Callable[..., "UserError"], tuple[object, ...]]:
        return _unpickled, (type(self), self.__dict__)

    @property
    def sentence(self) -> str:
        template = translated(self.template)
        values = {name: _Count(value) if type(value) is int else value for name, value in self.values.items()}
        return _short(template.format(**values) if values else template, LONGEST)

    def __str__(self) -> str:
        return f"{self.where}: {self.sentence}" if self.where else self.sentence


def _unpickled(kind: type[UserError], attributes: dict[str, object]) -> UserError:
    """Unpickle an error of any class, whatever its arguments are."""
    error = kind.__new__(kind)
    error.__dict__.update(attributes)
    error.args = (str(error),)
    return error


class _Count(int):
    """A number; where a sentence asks for groups of digits, `{n:,}`, they are those of the reader's language."""

    def __format__(self, spec: str) -> str:
        return grouped(int(self)) if spec == "," else super().__format__(spec)


def _short(text: str, most: int) -> str:
    """The text, without its middle where it is too long."""
    return text if len(text) <= most else f"{text[: most // 2]} ... {text[-most // 4 :]}"


def first_five(places: Iterable[object]) -> str:
    """'3, 7, 9, 12, 15 and 4 more': the first five of the places, and how many are left out."""
    listed = [str(place) for place in places]
    shown = ", ".join(listed[:SHOWN])
    left = len(listed) - SHOWN
    return f"{shown} and {left} more" if left > 0 else shown

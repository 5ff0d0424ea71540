"""A message: a sentence in English that a catalog translates, and where it stands."""

from typing import NamedTuple


class Message(NamedTuple):
    """`plural` is "" where the sentence has one form; `context` tells two meanings of the same words apart."""

    singular: str
    plural: str = ""
    context: str = ""
    place: tuple[str, int] = ("", 0)

    @property
    def id(self) -> str | tuple[str, str]:
        """As Babel names it: one sentence, or the two of a number."""
        return (self.singular, self.plural) if self.plural else self.singular

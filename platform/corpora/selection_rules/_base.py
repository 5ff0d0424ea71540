"""The class of selection rules: settings, and a verdict on one sentence at a time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

from foundation.errors import UserError
from foundation.papers import Paper

Settings = Mapping[str, Any]
Judge = Callable[[str, float | None], "Verdict"]

# The reasons to leave a sentence out: the stored key, and the words for people (translated where they are shown).
REASONS = {
    "empty": "It is empty",
    "question": "It is a question",
    "url": "It holds a web address",
    "too_short": "It has too few words",
    "too_long": "It has too many words",
    "not_informal": "It is not informal",
    "not_formal": "It is not formal",
    "too_plain": "It has too few uncommon words and abbreviations",
    "too_hard": "It has too many uncommon words and abbreviations",
}


class Verdict(NamedTuple):
    """Whether a sentence is kept; where it is not, `why` is a key of REASONS."""

    kept: bool
    why: str = ""

    @property
    def label(self) -> str:
        """Why, in words; '' for a sentence that is kept."""
        return REASONS[self.why] if self.why else ""


KEPT = Verdict(True)


class Selection(ABC):
    """A rule. `defaults` names all its settings; `needs_formality` says that it looks at a formality score."""

    label: ClassVar[str]
    about: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    defaults: ClassVar[dict[str, Any]] = {}
    needs_formality: ClassVar[bool] = False

    def check_settings(self, settings: Settings) -> dict[str, Any]:
        """The settings, complete and in their stored form; a UserError that names the key. Idempotent."""
        unknown = [key for key in settings if key not in self.defaults]
        if unknown:
            known = ", ".join(self.defaults) or "none"
            raise UserError("The rule has no such setting; its settings are: {known}.", known=known, where=unknown[0])
        return self._checked({**self.defaults, **settings})

    def _checked(self, settings: dict[str, Any]) -> dict[str, Any]:
        """`settings` with each value in its stored form; a UserError that names the key."""
        return settings

    @abstractmethod
    def keep(self, text: str, settings: Settings, score: float | None = None) -> Verdict:
        """Whether the sentence `text` becomes a source, under checked settings.

        `score` is its formality, below 0 informal; None where no scorer is at hand, and then it is not looked at.
        """

    def judge(self, settings: Settings) -> Judge:
        """`keep` under these checked settings, for many sentences: shared data are looked up once."""
        return lambda text, score: self.keep(text, settings, score)


def whole(settings: Settings, key: str, least: int = 0) -> int:
    """The whole number `settings[key]`, written as one or as text; a UserError where it is none or below `least`."""
    value = settings[key]
    fits = not isinstance(value, bool) and (isinstance(value, int) or (isinstance(value, str) and _counts(value)))
    if not fits or int(value) < least:
        raise UserError("Give a whole number of at least {least}, not {value!r}.", least=least, value=value, where=key)
    return int(value)


def share(settings: Settings, key: str) -> float:
    """The number from 0 to 1 in `settings[key]`; a UserError where it is none."""
    value = settings[key]
    try:
        number = float("nan") if isinstance(value, bool) else float(value)
    except (TypeError, ValueError):
        number = float("nan")
    if not 0 <= number <= 1:
        raise UserError("Give a number from 0 to 1, not {value!r}.", value=value, where=key)
    return number


def _counts(text: str) -> bool:
    return text.strip().isascii() and text.strip().isdigit() and len(text.strip()) < 10

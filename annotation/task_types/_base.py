"""What a kind of work is: how its items are built, shown, read back and checked.

Contents, settings and answers are JSON objects, as the database keeps them. Settings have gone through
`check_settings` once, when the campaign was saved; the rest trusts them.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

from foundation.papers import Paper

Content = dict[str, Any]
Settings = Mapping[str, Any]
Answer = dict[str, Any]


class Material(NamedTuple):
    """What a study has for one source: its references, and one output a system ("" where it has none)."""

    sentence_id: int
    source: str
    references: Sequence[str] = ()
    outputs: Sequence[str] = ()


class ItemContent(NamedTuple):
    """The content of one item. (sentence_id, part) is unique; part counts from 0 where a sentence is split."""

    sentence_id: int
    content: Content
    part: int = 0


class Judgement(NamedTuple):
    """What one answer says about one text."""

    text: str
    criterion: str
    value: int | float


class TaskType(ABC):
    """A kind of work. `template` draws what `present` returns, and posts the form that `parse` reads."""

    label: ClassVar[str]
    verb: ClassVar[str]
    template: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    defaults: ClassVar[dict[str, Any]]

    @abstractmethod
    def check_settings(self, settings: Settings) -> dict[str, Any]:
        """The settings, complete and in their stored form; a UserError that names the key. Idempotent."""

    @abstractmethod
    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """The items of a campaign, in the order of the material; equal arguments give equal items."""

    def order(self, content: Content, item_number: int, slot_number: int) -> list[int]:
        """The canonical numbers of the candidates as this slot presents them; [] where there are none."""
        return []

    @abstractmethod
    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """All that may reach the browser: no system names, no expected answers. `answer` (or a draft) fills it in."""

    @abstractmethod
    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        """The answer that a form's fields hold, checked; a UserError whose `where` is the field."""

    @abstractmethod
    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        """The answer in its stored form, from any JSON object; a UserError whose `where` is the field."""

    @abstractmethod
    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        """What is filled in so far, for a draft; never an error, and what does not fit is left out."""

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        """An answer given place by place, as a page or a program gives it, in the canonical order that is stored.

        What leaves for a browser counts by place alone, since a canonical number would be the same system in every
        item. `parse`, `check` and `partial` answer by place.
        """
        return answer

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        """The other way round: a stored answer place by place."""
        return answer

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        """What the answer says about each text it judges; nothing for work that writes."""
        return iter(())

"""The interface of a kind of work: how its items are built, shown, read back and checked.

Contents, settings and answers are JSON objects, as the database keeps them. Settings have gone through
`check_settings` once, when the campaign was saved; the rest trusts them."""

import difflib
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple

from annotation.presentation_order.candidates import order_of
from annotation.task_data import PreviousStage, Product, Settled, written_of
from foundation.bounds import whole_number
from foundation.errors import UserError
from foundation.papers import Paper

Content = dict[str, Any]
Settings = Mapping[str, Any]
Answer = dict[str, Any]


class ItemContent(NamedTuple):
    """The content of one item; `key` is the id of its subject (a sentence, a group, a document, a question).

    (key, part) is unique; part counts from 0 where one thing makes several items.
    """

    key: int
    content: Content
    part: int = 0
    topic: str = ""


class Judgement(NamedTuple):
    """The judgement of one answer about one text."""

    text: str
    criterion: str
    value: int | float


class Said(NamedTuple):
    """A piece of an answer, as a row of a table holds it.

    `text` is the text that it is about or the text that was written, `candidate` that text's number among the item's
    candidates, and `source` the part of the item's source. `value` is a number or a word; "" where the text is all that
    was said.
    """

    criterion: str
    value: int | float | str = ""
    text: str = ""
    source: str = ""
    candidate: int | None = None


class TaskType(ABC):
    """A kind of work. `template` draws what `present` returns, and posts the form that `parse` reads.

    `works_on` names the material that `build` gets. `settles` says whether each answer has an outcome of its own or all
    answers of an item have one together.
    """

    label: ClassVar[str]
    verb: ClassVar[str]
    template: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    defaults: ClassVar[dict[str, Any]]
    choices: ClassVar[dict[str, tuple[str, ...]]] = {}  # for the settings that are one of a few words
    bounds: ClassVar[dict[str, tuple[int, int]]] = {}  # for the settings that are whole numbers
    taken: ClassVar[Collection[str]] = ()  # columns of its answers, which no criterion may be called
    works_on: ClassVar[Literal["sentences", "groups", "documents", "questions", "stage"]] = "sentences"
    settles: ClassVar[Literal["answer", "item"]] = "answer"
    answer_content: ClassVar[str] = ""  # what the `content` of an answer holds, for programs
    makes: ClassVar[str] = ""  # the kind of its products; "" where it makes none, or hands on those of the stage before
    writes_target: ClassVar[bool] = False  # whether people write texts in the style that an item goes to
    quick: ClassVar[Literal["", "choice", "line"]] = (
        ""  # the act that may hand an item in: its last choice, or Enter in its line
    )
    of_outputs: ClassVar[bool] = False  # whether it is about texts that systems may have written

    def check_settings(self, settings: Settings) -> dict[str, Any]:
        """The settings, complete and in their stored form; a UserError that names the key. Idempotent."""
        known_keys(settings, self.defaults)
        return {key: self.check_setting(settings, key, default) for key, default in self.defaults.items()}

    def check_setting(self, settings: Settings, key: str, default: Any) -> Any:
        """One checked setting: of the kind of its default, within its `choices` or `bounds`."""
        if isinstance(default, bool):
            return flag(settings, key, default)
        if isinstance(default, int):
            return whole_number(settings.get(key, default), *self.bounds[key], key)
        if key in self.choices:
            return one_of(settings, key, default, self.choices[key])
        if isinstance(default, str):
            return words(settings, key, default)
        return phrases(settings, key, default)

    @abstractmethod
    def build(self, material: Iterable[Any], settings: Settings, seed: int) -> Iterator[ItemContent]:
        """The items of a campaign, in the order of the material; equal arguments give equal items.

        `material` is of the shape that `works_on` names; work on a "stage" alone gets none.
        """

    def scripts(self, settings: Settings) -> Sequence[str]:
        """The page's own modules, by their names below `restyle/js/annotation/`."""
        return ()

    def names_target(self, settings: Settings) -> bool:
        """Whether the page names the style that an item goes to."""
        return True

    def order(self, content: Content, item_number: int, assignment_number: int) -> list[int]:
        """The canonical numbers of the candidates as this assignment presents them; [] where there are none."""
        return []

    @abstractmethod
    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        """All that may reach the browser, in values that JSON has: no system names, no expected answers. `answer` (or a
        draft) fills it in."""

    @abstractmethod
    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        """The answer that a form's fields hold, checked; a UserError whose `where` is the field."""

    @abstractmethod
    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        """The answer in its stored form, from any JSON object; a UserError whose `where` is the field."""

    @abstractmethod
    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        """The values filled in so far, for a draft; never an error, and misfits are left out."""

    def restored(self, answer: Answer, order: Sequence[int]) -> Answer:
        """An answer given place by place, as a page or a program gives it, in the canonical order that is stored.

        Everything that leaves for a browser counts by place alone, since a canonical number would be the same system in
        every item. `parse`, `check` and `partial` answer by place.
        """
        return answer

    def arranged(self, answer: Answer, order: Sequence[int]) -> Answer:
        """The other way round: a stored answer place by place."""
        return answer

    def judgements(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Judgement]:
        """The judgements of the answer about each text it judges; none for work that writes."""
        return iter(())

    def span(self, criterion: str, content: Content, settings: Settings) -> float:
        """The largest distance of two judgements on this criterion; 0 where values have no order, so no distance."""
        return 1.0

    def judged(self, content: Content) -> Iterable[str]:
        """The texts that an item gives to be judged: nobody gets one that they wrote. None for work that writes."""
        return ()

    def beside(self, content: Content, settings: Settings) -> Iterable[str] | None:
        """The texts that the page shows beside those that are judged; None where it is the item's first text."""
        return None

    def wrote(self, answer: Answer, content: Content, settings: Settings) -> Iterator[str]:
        """The texts that the answer itself wrote, without those that it only judged or handed on."""
        return (text for product in self.products(answer, content, settings) for text in written_of(product))

    @classmethod
    def writes(cls) -> bool:
        """Whether its answers may hold texts that people wrote."""
        return cls.products is not TaskType.products

    @classmethod
    def judges(cls) -> bool:
        """Whether its answers are judgements of texts."""
        return cls.judgements is not TaskType.judgements

    def decisions(self, answer: Answer, content: Content, settings: Settings) -> dict[str, str]:
        """The choice in each place where people may choose differently; none for work that writes or rates.

        A choice of "yes" or "no" stands in every place where somebody could have said "yes".
        """
        return {}

    def asked(self, settings: Settings) -> list[str]:
        """The criteria that `said` may give, in their order."""
        return []

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """The answer piece by piece; by default its judgements, or its choices where it judges nothing."""
        numbers = {text: number for number, text in enumerate(content.get("candidates", ()))}
        for text, criterion, value in self.judgements(answer, content, settings):
            yield Said(criterion, value, text, "", numbers[text])
        if not numbers:
            for name, choice in self.decisions(answer, content, settings).items():
                yield Said(name, choice)

    def values(self, answer: Answer, content: Content, settings: Settings) -> list[dict[str, Any]]:
        """The values that a judging answer gives each candidate, by criterion."""
        found: list[dict[str, Any]] = [{} for _ in content["candidates"]]
        for said in self.said(answer, content, settings):
            if said.candidate is not None:
                found[said.candidate][said.criterion] = said.value
        return found

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        """The products of the answer, for the next stage and for releases; none for work that judges."""
        return iter(())

    def settle(self, answers: Sequence[Answer], content: Content, settings: Settings) -> Settled:
        """The outcome of one answer, or of all answers of the item where the kind `settles` by item."""
        return Settled(
            "accepted", [product for answer in answers for product in self.products(answer, content, settings)]
        )

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        """The content of an item made from the result of the stage before; None where there is nothing to do on it."""
        return None

    def part_of(self, answer: Answer, product: Product, content: Content, settings: Settings) -> Answer:
        """The part of an answer that made this product, so that it alone is done again; all of it by default."""
        return answer

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """How far the answer to a control item is the expected one, from 0 to 1."""
        return float(answer == expected)

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        """The text before and after, as far as written: the page compares their readability; None for none."""
        return None

    def proposes(self, answer: Answer, content: Content, settings: Settings) -> dict[str, Any]:
        """The proposals of the page, worked out from a draft each time one is saved; {} for none."""
        return {}


class JudgesCandidates(TaskType):
    """Work that judges the texts of an item, which each person gets in an order of their own."""

    def judged(self, content: Content) -> Iterable[str]:
        yield from content["candidates"]

    def order(self, content: Content, item_number: int, assignment_number: int) -> list[int]:
        return order_of(content, item_number, assignment_number)


def known_keys(given: Mapping[str, Any], known: Iterable[str], where: str = "") -> None:
    """A UserError at the first key that is not among the known ones."""
    names = list(known)
    for key in given:
        if key not in names:
            near = difflib.get_close_matches(str(key), names, n=3) or names
            raise UserError(
                "There is no such setting; did you mean {near}?", near=", ".join(near), where=f"{where}{key}"
            )


def flag(settings: Mapping[str, Any], key: str, default: bool) -> bool:
    value = settings.get(key, default)
    if not isinstance(value, bool):
        raise UserError("Expected true or false, found {value!r}.", value=value, where=key)
    return value


def words(settings: Mapping[str, Any], key: str, default: str, where: str = "", longest: int = 500) -> str:
    value = settings.get(key, default)
    if not isinstance(value, str) or len(value) > longest:
        raise UserError("Expected text of at most {longest} characters.", longest=longest, where=f"{where}{key}")
    return value.strip()


def one_of(settings: Mapping[str, Any], key: str, default: str, choices: Iterable[str], where: str = "") -> str:
    value = settings.get(key, default)
    allowed = list(choices)
    if value not in allowed:
        shown = ", ".join(choice or "nothing" for choice in allowed)
        raise UserError("Expected one of {shown}; found {value!r}.", shown=shown, value=value, where=f"{where}{key}")
    return str(value)


def phrases(settings: Mapping[str, Any], key: str, default: Iterable[str], most: int = 40) -> list[str]:
    """A list of different short texts, as the reasons of a guideline; may be empty."""
    value = settings.get(key, default)
    if not isinstance(value, (list, tuple)) or not all(isinstance(text, str) for text in value):
        raise UserError("Expected a list of texts.", where=key)
    texts = [" ".join(text.split()) for text in value]
    if any(not text or len(text) > 200 for text in texts):
        raise UserError("Each text must have 1 to 200 characters.", where=key)
    if len(set(texts)) < len(texts):
        raise UserError("The same text occurs twice.", where=key)
    if len(texts) > most:
        raise UserError("At most {most} texts are allowed.", most=most, where=key)
    return texts

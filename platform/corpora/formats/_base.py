"""The classes of formats: a title, a source, and functions that read or write."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from corpora.gold_records import GoldRow
from corpora.tabular_files import Column, Row
from corpora.text_files.decoding import TextFile
from foundation.confined import confined, confined_items
from foundation.errors import UserError, first_five
from foundation.options import option
from foundation.papers import Paper
from foundation.translation import translatable


@dataclass(frozen=True)
class Judgement:
    """One worker's judgement of one text on one criterion, collected elsewhere.

    `seconds` is the time of the row shared evenly among its outputs, None where not known; `line` is the row's
    first line in the file; `target_style` is empty where the file does not say it. `system` is the name of the system
    whose output it was given to, empty where the file tells the text alone. `number` is the source's in its direction,
    0 where the file tells its text alone.
    """

    worker: str
    source: str
    output: str
    target_style: str
    criterion: str
    value: float
    seconds: float | None
    line: int
    system: str = ""
    number: int = 0


def _column(label: str, help: str = "", **more: Any) -> Any:
    """The option of a column's name."""
    return option("", help, label=label, characters=200, **more)


@dataclass(frozen=True)
class RatingColumns:
    """The columns of a file of judgements by their names, and the separator of lists within a cell."""

    worker: str = _column(translatable("Column of the worker"), required=True)
    source: str = _column(translatable("Column of the sources"), required=True)
    output: str = _column(translatable("Column of the outputs"), required=True)
    response: str = _column(
        translatable("Column of the answers"),
        translatable("Its cells hold one answer per output, such as grammaticality=5 topic=4."),
        required=True,
    )
    target_style: str | None = _column(
        translatable("Column of the target style"),
        translatable("Optional if no source is in two directions."),
        none="usual",
    )
    seconds: str | None = _column(translatable("Column of the seconds"), none="usual")
    separator: str = option(
        "\t", "A tab if left out.", label="Between the entries of a cell", characters=10, row="separator"
    )


@dataclass(frozen=True)
class RawQuestion:
    """A question that a document answers, known by its `code`."""

    code: str
    text: str = ""
    type: str = ""
    focus: str = ""
    kind: str = ""
    topic: str = ""


@dataclass(frozen=True)
class RawSection:
    """A part of a document in order. A str is running text, to be split; a tuple is its sentences as they are.

    `translations` stand one for each sentence, so they go with sentences alone.
    """

    title: str
    text: str | tuple[str, ...]
    translations: tuple[str, ...] | None = None


@dataclass(frozen=True)
class RawDocument:
    """A document as a file gives it. `style` is empty where the file does not say it; `line` is its first line."""

    sections: tuple[RawSection, ...]
    style: str = ""
    code: str = ""
    title: str = ""
    topic: str = ""
    domain: str = ""
    codes: tuple[str, ...] = ()
    question: RawQuestion | None = None
    line: int = 1


@dataclass(frozen=True)
class Format:
    """An entry of `FORMATS`. `about` is one sentence for people; files are recognised by the `suffixes`.

    A file is read by a function of a module: it runs in a process of its own (`foundation.confined`).
    """

    title: str
    about: str
    suffixes: tuple[str, ...] = ()
    paper: Paper | None = field(default=None, kw_only=True)


def _confine(form: Format, field: str, how: Callable[..., Any]) -> None:
    object.__setattr__(form, field, partial(how, getattr(form, field)))


@dataclass(frozen=True)
class TextFormat(Format):
    """Reads a list of texts."""

    read: Callable[[TextFile], list[str]] = field(kw_only=True)

    def __post_init__(self) -> None:
        _confine(self, "read", confined)


@dataclass(frozen=True)
class TableFormat(Format):
    """Reads rows with the columns that are asked for."""

    rows: Callable[[TextFile, tuple[Column, ...]], Iterator[Row]] = field(kw_only=True)

    def __post_init__(self) -> None:
        _confine(self, "rows", confined_items)


@dataclass(frozen=True)
class JudgementFormat(Format):
    """Reads judgements. The mapping gives, for each criterion, the values on its scale; the last are the styles."""

    read: Callable[[TextFile, RatingColumns, Mapping[str, Collection[float]], Collection[str]], list[Judgement]] = (
        field(kw_only=True)
    )

    def __post_init__(self) -> None:
        _confine(self, "read", confined)


@dataclass(frozen=True)
class DocumentFormat(Format):
    """Reads documents one after the other. `options` are its settings with their defaults."""

    read: Callable[[TextFile, Mapping[str, str]], Iterator[RawDocument]] = field(kw_only=True)
    options: Mapping[str, str] = field(default_factory=dict, kw_only=True)

    def __post_init__(self) -> None:
        _confine(self, "read", confined_items)

    def documents(self, file: TextFile, options: Mapping[str, str] | None = None) -> Iterator[RawDocument]:
        """The documents of `file`; an option that the format has not is a `UserError`."""
        given = dict(options or {})
        for name in given:
            if name not in self.options:
                raise UserError(
                    "{title} has no option '{name}'; it has {options}.",
                    title=self.title,
                    name=name,
                    options=first_five(self.options) or "none",
                )
        return self.read(file, {**self.options, **given})


@dataclass(frozen=True)
class GoldFormat(Format):
    """Reads and writes gold. It holds rows of `kinds`, of every kind where that is empty.

    Where `by_split`, the rows of each split are a file of their own. Reading takes the styles (source, target) and the
    split that the file itself does not say.
    """

    write: Callable[[Iterable[GoldRow]], Iterator[bytes]] = field(kw_only=True)
    read: Callable[[TextFile, tuple[str, str], str], Iterator[GoldRow]] = field(kw_only=True)
    suffix: str = field(kw_only=True)
    media_type: str = field(kw_only=True)
    kinds: frozenset[str] = field(default=frozenset(), kw_only=True)
    by_split: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        _confine(self, "read", confined_items)

    def holds(self, kind: str) -> bool:
        return not self.kinds or kind in self.kinds

"""Options: a frozen dataclass that declares choices. Its form, its API schema and its check are made from it.

The options of a model are such a dataclass, and so are the fields of an action (`annotation/campaigns/fields.py`).

@dataclass(frozen=True)
class Options:
    hidden: int = option(256, "Size of the hidden states", low=1, high=4096)
    optimizer: str = option("adam", "Optimizer", choices=("adam", "adadelta"))

checked(Options, {"hidden": 64})    ->  Options(hidden=64, optimizer="adam")
checked(Options, {"hiden": 64})     ->  UserError "hiden: There is no such option; did you mean hidden?"
"""

import dataclasses
import difflib
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Any, TypeVar, cast

from foundation.errors import UserError

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
SMALL = Decimal("0.0001")  # below it zeros have to be counted


def number_in_words(value: float) -> str:
    """'16,384', '0.001', '10⁻⁸', '5 × 10⁻⁵': all digits, with commas; a power of ten where it is very small."""
    exact = Decimal(repr(value))
    if exact == 0 or abs(exact) >= SMALL:
        whole = exact == exact.to_integral_value()
        return f"{exact.to_integral_value() if whole else exact.normalize():,f}"
    power = exact.adjusted()
    digits = exact.scaleb(-power).normalize()
    ten = f"10{str(power).translate(SUPERSCRIPTS)}"
    return ten if digits == 1 else f"{digits:f} × {ten}"


def percent(part: float) -> str:
    """'80%', '99.5%'."""
    return f"{round(100 * part, 1):g}%"


Value = Any  # a bool, int, float or text; for a field of an action also a list, a table, or a row of the database
Choice = str | tuple[str, Any]
Kind = TypeVar("Kind")
LONGEST = 500  # characters of an option that is a text
LONGEST_LINES = 10_000  # of one of several lines
MOST_OF_A_LIST = 1_000


@dataclass(frozen=True)
class Option:
    """One thing that can be chosen. Its value is of the kind of its default; numbers lie within [low, high].

    A `rare` option is seldom changed: forms fold it away. Options of one `group` stand together under its name; a text
    of several `lines` may be longer, and one that is `required` is never empty. `suggestions` names values that a form
    offers for a text that may also be typed: "model_folders" are the folders below RESTYLE_MODELS, "endpoints" the
    site's addresses of language models, "checkpoints" those of the study that are of the same model, "locators" those
    that are of DECLARE.

    The fields of an action may have further values. A list of texts has a tuple as its default; its texts have the
    `choices` or `characters`, and no spaces around them. A table is held to a dataclass of options or to a check, or
    has texts of at most `characters` by their names (`table=dict`). `rows` is a list of such tables, at most `high`.
    `row` is a row of the database, which each door finds by the name that it has there.

    A whole number that may be left out has the default None. `clean` turns a valid value into its stored form.
    `changes` says when the option may be given: "always", "while empty" (parts of the thing are made with it), or "when
    made". Where `none` is "allowed", None may be given too and has a meaning of its own; where it is "usual", an option
    that is not given is None. A refusal of the study file calls one of the choices or rows by the noun `what`. `old` is
    the name that the option had before, which the API and the study file still read.
    """

    name: str
    default: Value
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    rare: bool = False
    group: str = ""
    lines: bool = False
    suggestions: str = ""
    required: bool = False
    label: str = ""
    characters: int = 0
    table: "type | Callable[[Any], Any] | None" = None
    rows: "type | Callable[[Any], Any] | None" = None
    row: str = ""
    clean: Callable[[Any], Any] | None = None
    changes: str = "always"
    labels: tuple[str, ...] = ()
    none: str = ""
    what: str = ""
    old: str = ""

    @property
    def usual(self) -> Value:
        """The value of an option that is not given."""
        return None if self.none == "usual" else self.default

    @property
    def optional(self) -> bool:
        """Whether a number may be left out."""
        return self.default is None or bool(self.none)

    @property
    def longest(self) -> int:
        """Characters of a text, at most."""
        return self.characters or (LONGEST_LINES if self.lines else LONGEST)

    def check(self, value: object, where: str = "") -> Value:
        """The value, a whole number as a float where one is asked; a UserError that names the option."""
        if value is None and self.none:
            return None
        value = self._checked(value, where)
        cleaned = self.clean(value) if self.clean else value
        if self.required and cleaned == "":
            raise self.missing(where)
        return cleaned

    def _checked(self, value: object, where: str) -> Value:
        place = f"{where}{self.name}"
        if isinstance(self.default, tuple) and not self.rows:
            return [self._text(one, where).strip() for one in self._list(value, place)]
        if self.row:
            return value
        if self.table:
            return self._table(value, place)
        if self.rows:
            return self._rows(value, place)
        if self.default is None and value is None:
            return None
        if isinstance(self.default, bool):
            return _kind(value, bool, "yes or no (true or false)", place)
        if isinstance(self.default, str):
            return self._text(value, where)
        return self._number(value, place)

    def _text(self, value: object, where: str) -> str:
        place = f"{where}{self.name}"
        text = _kind(value, str, "a text", place)
        if self.required and not text.strip():
            raise self.missing(where)
        if self.choices and text not in self.choices:
            raise UserError("Expected one of {choices}.", choices=", ".join(filter(None, self.choices)), where=place)
        if len(text.replace("\r\n", "\n")) > self.longest:  # a browser counts the end of a line as one
            raise UserError("Expected a text of at most {longest} characters.", longest=self.longest, where=place)
        storable(text, place)
        return text

    def _list(self, value: object, place: str) -> list[Any]:
        if not isinstance(value, list | tuple):
            raise UserError("Expected a list.", where=place)
        most = MOST_OF_A_LIST if self.high is None else int(self.high)
        if len(value) > most:
            raise UserError("At most {most} are allowed.", most=most, where=place)
        return list(value)

    def _rows(self, value: object, place: str) -> list[Any]:
        if isinstance(self.rows, type):
            return [_given(self.rows, one, f"{place}.{n}") for n, one in enumerate(self._list(value, place))]
        return list(storable(cast(Callable[[Any], Any], self.rows)(value), place))

    def _table(self, value: object, place: str) -> Any:
        if not isinstance(value, Mapping):
            raise UserError("Expected a table.", where=place)
        if self.table is dict:
            text = dataclasses.replace(self, table=None, default="")
            return {key: dataclasses.replace(text, name=str(key))._text(value[key], f"{place}.") for key in value}
        if isinstance(self.table, type):
            return _given(self.table, value, place)
        return storable(cast(Callable[[Any], Any], self.table)(value), place)

    def missing(self, where: str = "") -> UserError:
        """The error for a required option that is empty or not there."""
        return UserError(
            "This has to be given: {help}.",
            help=(self.label or self.help)[:1].lower() + (self.label or self.help)[1:],
            where=f"{where}{self.name}",
        )

    def _number(self, value: object, place: str) -> float | int:
        whole = self.whole
        if isinstance(value, bool) or not isinstance(value, int if whole else (int, float)):
            raise UserError("Expected a whole number." if whole else "Expected a number.", where=place)
        low, high = self.low, self.high
        inside = (low is None or value >= low) and (high is None or value <= high)
        if not inside or not math.isfinite(value):
            raise UserError("Expected a number {range}.", range=self.range, where=place)
        return value if whole else float(value)

    @property
    def whole(self) -> bool:
        """Whether it is a whole number."""
        return self.default is None or isinstance(self.default, int)

    @property
    def range(self) -> str:
        """'from 1 to 4,096', 'of at least 1', or 'that is finite' where any number will do."""
        low, high = (None if bound is None else number_in_words(bound) for bound in (self.low, self.high))
        if low is not None and high is not None:
            return f"from {low} to {high}"
        if low is not None:
            return f"of at least {low}"
        return f"of at most {high}" if high is not None else "that is finite"


def option(
    default: Value, help: str, *, low: float | None = None, high: float | None = None,
    choices: Sequence[Choice] | Callable[[], Sequence[Choice]] = (), rare: bool = False, group: str = "",
    lines: bool = False, suggestions: str = "", required: bool = False, **more: Any,
) -> Any:  # fmt: skip
    """A field of a dataclass of options; its form shows `help`, a few words. `more` holds further fields of `Option`.

    `called` is the option's name where that is a word of Python, such as "from".

    Choices that take an import to list are given as a function, which is called when the options are listed. They are
    values, or pairs of a value and its label.
    """
    about = {
        "default": default, "help": help, "low": low, "high": high, "choices": choices, "rare": rare, "group": group,
        "lines": lines, "suggestions": suggestions, "required": required, **more,
    }  # fmt: skip
    return dataclasses.field(default=None if more.get("none") == "usual" else default, metadata=about)


def declared(column: Kind, help: str, **more: Any) -> Kind:
    """A column of a model that is an option of its actions too (`with_columns`), with further arguments of `option`.

    overlap = declared(models.PositiveSmallIntegerField(default=1), "People an item", low=1, high=100)
    """
    column.declared = {"help": help, **more}  # type: ignore[attr-defined]
    return column


def with_columns(model: Any) -> Callable[[type[Kind]], type[Kind]]:
    """Decorate a dataclass of options: behind its own it has those that the model's columns declare."""

    def complete(kind: type[Kind]) -> type[Kind]:
        columns = [column for column in model._meta.local_fields if hasattr(column, "declared")]
        more = [(column.name, type(_first(column)), _column_option(column)) for column in columns]
        return dataclasses.make_dataclass(
            kind.__name__, more, bases=(kind,), frozen=True,
            namespace={"__doc__": kind.__doc__, "__module__": kind.__module__},
        )  # fmt: skip

    return complete


def _first(column: Any) -> Value:
    """The default of a column as that of an option; a list is a tuple."""
    first = column.get_default()
    return tuple(first) if isinstance(first, list) else getattr(first, "value", first)


def _column_option(column: Any) -> Any:
    """The option that a column declares: its default, and the choices or the length of its texts."""
    texts = getattr(column, "base_field", column)  # of a list those of its items
    more = {"choices": tuple(texts.choices or ()), "characters": 0 if texts.choices else texts.max_length or 0}
    return option(_first(column), **{**more, **column.declared})


def each_once(texts: Iterable[str]) -> list[str]:
    """Each text once, in order, without the empty ones."""
    return list(dict.fromkeys(filter(None, texts)))


def as_given(value: Any) -> Any:
    """The check of a table that its action checks itself."""
    return value


@dataclass(frozen=True)
class NoOptions:
    """The options of a thing that has none."""


def list_options(kind: type) -> list[Option]:
    """The options of a dataclass, in its order. One that it declares anew keeps the group of its base's."""
    return [_listed(field, kind) if one is None else one for field, one in _known(kind)]


@cache  # a study file or a form asks for the same ones hundreds of times
def _known(kind: type) -> "list[tuple[dataclasses.Field[Any], Option | None]]":
    """Its fields with their options; None where the choices are asked for each time, as more may come with a plugin."""
    fields = dataclasses.fields(kind)
    return [(field, None if callable(field.metadata["choices"]) else _listed(field, kind)) for field in fields]


def option_named(kind: type, name: str) -> Option:
    """One of the options of a dataclass."""
    return next(one for one in list_options(kind) if one.name == name)


def _listed(field: "dataclasses.Field[Any]", kind: type) -> Option:
    meta = dict(field.metadata)
    choices = meta["choices"]
    listed = tuple(choices() if callable(choices) else choices)
    pairs = [one if isinstance(one, tuple) else (one, one) for one in listed]
    values, labels = tuple(str(value) for value, _ in pairs), tuple(label for _, label in pairs)
    more = {"choices": values, "labels": labels, "group": _group(field.name, kind)}
    return Option(meta.pop("called", field.name), **{**meta, **more})


def _group(name: str, kind: type) -> str:
    """The group of the option in the nearest base of the kind that names one."""
    declared = (vars(one).get("__dataclass_fields__", {}).get(name) for one in kind.__mro__)
    return next((field.metadata["group"] for field in declared if field and field.metadata["group"]), "")


def validate_options(kind: type[Kind], given: Mapping[str, object], where: str = "") -> Kind:
    """The options with what is `given`, the rest by default; a UserError names the key (after `where`)."""
    return kind(**check_given(kind, given, where))


def check_given(kind: type, given: Mapping[str, object], where: str = "", *, partial: bool = False) -> dict[str, Value]:
    """The values `given`, in their stored form; if `partial`, required options may be left out."""
    known = {one.name: one for one in list_options(kind)}
    for key in given:
        if key not in known:
            raise UserError(_unknown(str(key), list(known)), where=f"{where}{key}")
    for name, one in known.items():
        if one.required and not one.default and name not in given and not partial:
            raise one.missing(where)
    return {key: known[key].check(value, where) for key, value in given.items()}


def complete(kind: type, given: Mapping[str, object], where: str = "") -> dict[str, Value]:
    """All options of a table by name, in their stored form: the given values that are not None, else the defaults."""
    usual = {one.name: list(one.usual) if isinstance(one.usual, tuple) else one.usual for one in list_options(kind)}
    return usual | check_given(kind, {key: value for key, value in given.items() if value is not None}, where)


def _given(kind: type, value: object, place: str) -> dict[str, Value]:
    """The keys of a table with a given value."""
    if not isinstance(value, Mapping):
        raise UserError("Expected a table.", where=place)
    return check_given(kind, value, f"{place}.")


def options_as_stored(options: Any) -> dict[str, Value]:
    """The options as they are stored."""
    return dataclasses.asdict(options)


def _unknown(key: str, names: list[str]) -> str:
    if not names:
        return "There are no options here."
    near = difflib.get_close_matches(key, names, n=3)
    return f"There is no such option; did you mean {', '.join(near)}?" if near else (
        f"There is no such option; there are {', '.join(names)}."
    )  # fmt: skip


def storable(value: Any, place: str) -> Any:
    """The value; a UserError where a text in it holds what PostgreSQL cannot keep: NUL, or half of a surrogate pair."""
    for text in _texts(value):
        if "\0" in text or (not text.isascii() and any("\ud800" <= one <= "\udfff" for one in text)):
            raise UserError("A text of the {place} holds a character that cannot be stored.", place=place, where=place)
    return value


def _texts(value: Any) -> Iterator[str]:
    """Every text in a value of JSON's kinds, keys too."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield str(key)
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)


def _kind(value: object, kind: type[Kind], expected: str, place: str) -> Kind:
    if not isinstance(value, kind):
        raise UserError("Expected {expected}.", expected=expected, where=place)
    return value

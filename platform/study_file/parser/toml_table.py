"""Reads a TOML table key by key; a fault is a `UserError` with file, line, key, and the value that was expected."""

import difflib
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from corpora.text_files.encodings import encoding_of
from foundation.errors import UserError, first_five
from foundation.options import Option, list_options
from study_file.parser.toml_lines import Path

There = Mapping[str, Collection[str]]
NOTHING: There = {}

MOST_BLOCKS = 1_000
"""Of one kind, such as [[systems]]."""
MOST_SEED, MOST_SEEDS = 2**31 - 1, 100


@dataclass(frozen=True)
class TomlTable:
    """A table of the document: its values, its path, and the lines of all keys.

    `written` has by its name of today each key that stands in the file under the name that it had before.
    """

    values: Mapping[str, Any]
    path: Path
    file: str
    lines: Mapping[Path, int]
    written: Mapping[str, str] = field(default_factory=dict)

    def renamed(self, kind: type) -> "TomlTable":
        """The same table with the keys that the declaration has today, in place of old ones."""
        was = {
            one.name: one.old for one in list_options(kind) if one.old in self.values and one.name not in self.values
        }
        if not was:
            return self
        now = {old: name for name, old in was.items()}
        return replace(self, values={now.get(key, key): value for key, value in self.values.items()}, written=was)

    def _at(self, keys: Sequence[str | int]) -> Path:
        """The path of keys of this table, as the file has them."""
        return (*self.path, *(self.written.get(str(key), key) for key in keys[:1]), *keys[1:])

    def error(self, sentence: str, *keys: str | int) -> UserError:
        """The error at a key of this table; without keys at the table itself."""
        path = self._at(keys)
        near = path
        while near and near not in self.lines:
            near = near[:-1]
        line = self.lines.get(near, 1)
        return UserError(sentence, where=", ".join(filter(None, [f"{self.file}, line {line}", _dotted(path)])))

    def known(self, keys: Collection[str]) -> None:
        """Raise at the first key that is not one of `keys`."""
        for key in self.values:
            if key not in keys:
                near = difflib.get_close_matches(key, list(keys), n=3, cutoff=0.5)
                hint = f"did you mean {', '.join(near)}" if near else f"known are {', '.join(keys)}"
                raise self.error(f"there is no key '{key}' here; {hint}?" if near else f"unknown key; {hint}.", key)

    def text(self, key: str, default: str | None = None, *, longest: int = 300) -> str:
        """A text that is not blank; required where there is no default."""
        if key not in self.values and default is not None:
            return default
        value = self._required(key, "a text")
        if not isinstance(value, str):
            raise self._expected("a text in quotation marks", key)
        if not value.strip() or "\0" in value:
            raise self.error("the text is empty or holds a NUL character.", key)
        if len(value) > longest:
            raise self.error(f"the text has {len(value):,} characters; at most {longest:,} were expected.", key)
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self._expected("true or false", key)
        return value

    def whole(self, key: str, default: int, low: int, high: int) -> int:
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise self._expected(f"a whole number from {low} to {high}", key)
        return value

    def number(self, key: str, default: float, low: float, high: float) -> float:
        value = self.values.get(key, default)
        if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
            raise self._expected(f"a number from {low:g} to {high:g}", key)
        return float(value)

    def option(self, one: Option, there: There = NOTHING) -> Any:
        """The value of a declared field, of the kind and within the bounds that it declares.

        `there` has by kind of row the names that stand in the file.
        """
        if one.row:
            return self._row(one, there)
        if isinstance(one.rows, type):
            rows = [table.options(one.rows, there) for table in self.tables(one.name)]
            self.checked(lambda: one.check(rows), one.name)
            return rows
        if one.table is dict:
            inner = self.table(one.name)
            return {key: inner.text(key, longest=one.longest) for key in inner.values}
        if isinstance(one.table, type):
            return self.table(one.name).options(one.table)
        if one.table:
            check, values = one.table, dict(self.table(one.name, required=one.required).values)
            self.checked(lambda: check(values), one.name)
            return values
        if isinstance(one.default, tuple):
            return self._listed(one)
        if isinstance(one.default, bool):
            return self.flag(one.name)
        if "" in one.choices and self.values.get(one.name) == "":
            return ""
        if one.choices:
            return self.choice(one.name, one.choices, one.what or f"choice for {one.name}")
        if isinstance(one.default, str):
            return self.text(one.name, longest=one.longest)
        low = -math.inf if one.low is None else one.low
        high = math.inf if one.high is None else one.high
        if one.whole:
            return self.whole(one.name, one.default or 0, int(low), int(high))
        return self.number(one.name, one.default, low, high)

    def _row(self, one: Option, there: There) -> Any:
        """The name of something that stands in the file, or the names; a column, or another value of the file's own."""
        what = one.what or one.row
        if one.row in OF_THE_FILE:
            return OF_THE_FILE[one.row](self, one.name)
        if one.row == "system" or isinstance(one.default, tuple):
            names = self.texts(one.name)
            for number, name in enumerate(names):
                self.among(name, there[one.row], what, one.name, number)
            return names
        return self.choice(one.name, there[one.row], what)

    def options(self, kind: type, there: There = NOTHING) -> dict[str, Any]:
        """The declared fields that the table gives."""
        declared = {one.name: one for one in list_options(kind)}
        self.known(declared)
        return {key: self.option(declared[key], there) for key in self.values}

    def read(self, kind: type, there: There = NOTHING) -> dict[str, Any]:
        """All declared fields: as the table gives them, or as they are where it leaves them out."""
        declared = list_options(kind)
        self.known([one.name for one in declared])
        return {
            one.name: self.option(one, there) if one.required or one.name in self.values else _left_out(one)
            for one in declared
        }

    def _listed(self, one: Option) -> list[str]:
        texts = self.texts(one.name)
        for number, text in enumerate(texts):
            if one.choices:
                self.among(text, one.choices, one.name.removesuffix("s"), one.name, number)
            elif len(text) > one.longest:
                raise self.error(f"the text has {len(text):,} characters; at most {one.longest:,} were expected.",
                                 one.name, number)  # fmt: skip
        return texts

    def column(self, key: str) -> int | str | None:
        """A column: its number, from 1, or its name; None where the key is left out."""
        value = self.values.get(key)
        number = isinstance(value, int) and not isinstance(value, bool) and value >= 1
        if value is None or number or (isinstance(value, str) and value.strip()):
            return value
        raise self._expected("a column, as a number from 1 or a name in quotation marks,", key)

    def encoding(self, key: str) -> str:
        """The name of an encoding that is known."""
        named = self.text(key)
        self.checked(lambda: encoding_of(named, ""), key)
        return named

    def separator(self, key: str) -> str:
        """One or more characters."""
        value = self.values[key]
        if not isinstance(value, str) or not value:
            raise self.error("one or more characters in quotation marks were expected.", key)
        return value

    def delimiter(self, key: str) -> str:
        """A character, which may be space, or tab, or none."""
        value = self.values[key]
        if not isinstance(value, str) or (len(value) > 1 and value not in ("tab", "none")):
            raise self.error("one character, 'tab' or 'none' was expected.", key)
        return value

    def seeds(self, key: str) -> tuple[int, ...]:
        """Different whole numbers."""
        value = self.values[key]
        whole = isinstance(value, list) and all(type(one) is int and 0 <= one <= MOST_SEED for one in value)
        if not whole or not 0 < len(value) <= MOST_SEEDS or len(set(value)) < len(value):
            raise self.error(f"a list of 1 to {MOST_SEEDS} different whole numbers from 0 was expected.", key)
        return tuple(value)

    def texts_by_key(self) -> dict[str, str]:
        """All its values, which are texts."""
        for key, value in self.values.items():
            if not isinstance(value, str):
                raise self.error("a text in quotation marks was expected.", key)
        return dict(self.values)

    def choice(self, key: str, choices: Iterable[str], what: str, default: str | None = None) -> str:
        """One of `choices`; anything else is an error that offers the nearest."""
        value = self.text(key, default, longest=1000)
        if value != default:
            self.among(value, choices, what, key)
        return value

    def among(self, value: str, choices: Iterable[str], what: str, *keys: str | int) -> None:
        listed = list(choices)
        if value not in listed and not (isinstance(choices, Collection) and value in choices):
            near = difflib.get_close_matches(value, listed, n=3)
            hint = f"did you mean {', '.join(near)}?" if near else f"there are {first_five(listed) or 'none'}."
            raise self.error(f"there is no {what} '{value}'; {hint}", *keys)

    def texts(self, key: str, default: list[str] | None = None) -> list[str]:
        """A list of different texts."""
        value = self.values.get(key, default) if default is not None else self._required(key, "a list of texts")
        if not isinstance(value, list) or not all(isinstance(one, str) and one.strip() for one in value):
            raise self._expected("a list of texts", key)
        doubled = [one for one, times in Counter(value).items() if times > 1]
        if doubled:
            raise self.error(f"'{doubled[0]}' stands twice in the list.", key)
        return value

    def table(self, key: str, *, required: bool = False) -> "TomlTable":
        value = self._required(key, "a table") if required else self.values.get(key, {})
        if not isinstance(value, dict):
            raise self._expected(f"a table, [{_dotted(self._at([key]))}] or {{ ... }},", key)
        return self._inner(value, key)

    def tables(self, key: str) -> list["TomlTable"]:
        """A list of tables, [[key]] or [{ ... }]; empty where the key is left out."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
            raise self._expected(f"blocks [[{_dotted(self._at([key]))}]]", key)
        if len(value) > MOST_BLOCKS:
            raise self.error(f"there are {len(value):,} blocks; at most {MOST_BLOCKS:,} were expected.", key)
        return [self._inner(one, key, number) for number, one in enumerate(value)]

    def checked(self, check: Callable[[], object], *keys: str | int) -> None:
        """Run a check from elsewhere, and give its error the place in this file."""
        try:
            check()
        except UserError as error:
            key = error.where.rpartition(".")[2]
            if (*self._at(keys), key) in self.lines:
                raise self.error(error.sentence, *keys, key) from None
            sentence = f"{error.where}: {error.sentence}" if error.where else error.sentence
            raise self.error(sentence, *keys) from None

    def _inner(self, values: Mapping[str, Any], *keys: str | int) -> "TomlTable":
        return TomlTable(values, self._at(keys), self.file, self.lines)

    def _required(self, key: str, what: str) -> Any:
        if key not in self.values:
            raise self.error(f"the key '{key}' is missing; {what} was expected.")
        return self.values[key]

    def _expected(self, what: str, key: str) -> UserError:
        return self.error(f"{what} was expected, and not {_shown(self.values.get(key))}.", key)


OF_THE_FILE: Mapping[str, Callable[[TomlTable, str], Any]] = {
    "column": TomlTable.column, "delimiter": TomlTable.delimiter, "encoding": TomlTable.encoding,
    "seeds": TomlTable.seeds, "separator": TomlTable.separator,
}  # fmt: skip
"""The values of the file's own kinds, by the `row` of their option."""


def _left_out(one: Option) -> Any:
    """The value of a field that the table leaves out."""
    return {} if one.table else one.usual


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (dict, list)):
        return "a table" if isinstance(value, dict) else "a list"
    return f"'{str(value)[:60]}'" if isinstance(value, str) else str(value)[:60]


def _dotted(path: Path) -> str:
    """("systems", 1, "name") as systems[2].name: elements are counted from 1, as people count blocks."""
    dotted = ""
    for part in path:
        dotted += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if dotted else part
    return dotted

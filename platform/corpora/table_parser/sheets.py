"""Excel workbooks: a sheet is a table."""

import re
from collections.abc import Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from html import unescape
from string import ascii_uppercase
from typing import Any

from corpora.formats import LINE_LIMIT, MEGABYTE
from corpora.table_parser.delimited import restored
from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.notes import Note, Notes, Question
from corpora.table_parser.opening import Opened, hold_to_limit, members, pieces
from corpora.text_files.zip_members import EXPANDED_LIMIT, too_large
from foundation.errors import UserError, first_five
from foundation.translation import translatable, translate

# The unpacked size of a workbook, counted before a library opens it; its active sheet; cells that show an error.

CELLS = 20_000_000
"""The most cells a sheet may span, empty ones too: the library holds each of them."""
TEXT = 4 * EXPANDED_LIMIT
PLACE = re.compile(rb"\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"']")
ROW = re.compile(rb"<(?:\w{1,9}:)?row\b(?:[^<>]{0,400}?\br=[\"']([0-9]{1,7})[\"'])?")
CELL = re.compile(rb"<(?:\w{1,9}:)?c[\s>/]")
SHARED = re.compile(rb"\bt=[\"']s[\"'][^<>]{0,200}>\s{0,9}<(?:\w{1,9}:)?v>\s{0,9}([0-9]{1,9})")
ITEM = re.compile(rb"</(?:\w{1,9}:)?si>")
BROKEN = re.compile(
    rb"<(?:\w{1,9}:)?c\b[^<>]{0,200}?\br=[\"']([A-Z]{1,3}[0-9]{1,7})[\"'](?:"
    rb"[^<>]{0,200}?\bt=[\"']e[\"'][^<>]{0,200}>(?:\s{0,9}<(?:\w{1,9}:)?f[^<>]{0,400}(?:/>|>[^<]{0,8000}</[^>]{1,20}>))?"
    rb"\s{0,9}<(?:\w{1,9}:)?v>([^<]{0,40})|"
    rb"[^<>]{0,200}>\s{0,9}<(?:\w{1,9}:)?f(?:\s[^<>]{0,400})?(?:/>|>[^<]{0,8000}</[^>]{1,20}>)\s{0,9}"
    rb"(?:<(?:\w{1,9}:)?v>\s{0,9}</[^>]{1,20}>|<(?:\w{1,9}:)?v\s?/>)?\s{0,9}</(?:\w{1,9}:)?c>)"
)
ACTIVE = re.compile(rb"\bactiveTab=[\"']([0-9]{1,4})[\"']")
SHEET = re.compile(rb"<(?:\w{1,9}:)?sheet\s([^<>]{1,2000})>")
LINK = re.compile(rb"<(?:\w{1,9}:)?Relationship\s([^<>]{1,2000})>")
ATTRIBUTE = re.compile(rb"([\w:]{1,40})\s{0,9}=\s{0,9}[\"']([^\"']{0,1000})[\"']")
OVERLAP = 1024
BOOK = MEGABYTE
KEPT = 100_000


@dataclass
class Workbook:
    """`active` is the place of the sheet that is shown; `broken` are errors by sheet and place, such as B2: #N/A."""

    active: int = 0
    broken: dict[str, dict[str, str]] = field(default_factory=dict)


def look_through(file: Opened) -> Workbook:
    """Go through the bytes once. Raise where unpacked bytes, spanned cells or repeated texts would fill the memory."""
    size, lengths, broken = 0, list[int](), dict[str, dict[str, str]]()
    hold_to_limit(file, members(file))
    for name in sorted(members(file), key=lambda name: not name.endswith("sharedStrings.xml")):
        width = height = texts = unplaced = 0
        before = b""
        for chunk in pieces(file, name):
            size += len(chunk)
            if size > EXPANDED_LIMIT:
                raise too_large(file.name)
            seen = before + chunk
            new = len(before)
            before = chunk[-OVERLAP:]
            if name.endswith("sharedStrings.xml"):
                *items, before = ITEM.split(seen)
                lengths += map(len, items)
                if len(before) > LINE_LIMIT:
                    raise UserError(
                        "a text is longer than {line_limit:,} characters.", line_limit=LINE_LIMIT, where=file.name
                    )
            elif name.startswith("xl/worksheets/"):
                for column, row in PLACE.findall(seen):
                    width, height = max(width, _column(column)), max(height, int(row))
                for row in ROW.finditer(seen):
                    height = max(height, int(row[1] or 0))
                unplaced = max(unplaced, _cells_of_a_row(seen[new:]))
                texts += sum(lengths[key] for key in map(int, SHARED.findall(seen)) if key < len(lengths))
                if b"<f" in seen or b'"e"' in seen or b"'e'" in seen or b":f" in seen:
                    own = broken.setdefault(name, {})
                    for place, words in BROKEN.findall(seen) if len(own) < KEPT else ():
                        own.setdefault(place.decode(), words.decode(errors="replace"))
        width = max(width, unplaced)
        if texts > TEXT:
            raise too_large(file.name, TEXT)
        if width * height > CELLS:
            raise UserError(
                "a sheet spans {width:,} cells; it may have at most {cells:,}. Remove cells that are far from the "
                "table.",
                width=width * height,
                cells=CELLS,
                where=file.name,
            )
    return _named(file, broken)


def _cells_of_a_row(seen: bytes) -> int:
    """The most cells between two rows in a piece of a sheet; cells need not say where they stand."""
    return max((len(CELL.findall(row)) for row in seen.split(b"<row")), default=0)


def _named(file: Opened, broken: dict[str, dict[str, str]]) -> Workbook:
    """The workbook, with the `broken` cells of each file under the name of its sheet."""
    names = members(file)
    book, links = (
        b"".join(pieces(file, name))[:BOOK] if name in names else b""
        for name in ("xl/workbook.xml", "xl/_rels/workbook.xml.rels")
    )
    rows = map(_attributes, LINK.findall(links))
    targets = {one.get(b"Id"): one.get(b"Target", b"").decode(errors="replace") for one in rows}
    found = Workbook(int(active[1]) if (active := ACTIVE.search(book)) else 0)
    for one in map(_attributes, SHEET.findall(book)):
        target = targets.get(next((value for key, value in one.items() if key.endswith(b":id")), b""), "")
        path = target.lstrip("/") if target.startswith("/") else f"xl/{target}"
        if broken.get(path):
            found.broken[unescape(one.get(b"name", b"").decode(errors="replace"))] = broken[path]
    return found


def _attributes(inside: bytes) -> dict[bytes, bytes]:
    return dict(ATTRIBUTE.findall(inside))


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number


ERRORS = {"empty": translatable("Take these cells as empty"), "leave_out": translatable("Leave these rows out")}


class Sheets:
    """A sheet of a workbook as a reader of rows: the one that is shown when it is opened, unless another is named.

    `errors` decides on rows with a cell that shows an error, or a formula that no program has computed.
    """

    kind = "xlsx"
    encoding = delimiter = ""
    guessed = False
    names: tuple[str, ...] | None = None

    def __init__(self, file: Opened, sheet: str = "", errors: str = "") -> None:
        found = look_through(file)
        import python_calamine as calamine

        self.file, self.errors = file, errors
        self.restored = Notes()
        try:
            self.book = calamine.CalamineWorkbook.from_filelike(file.fresh())
        except calamine.PasswordError:
            raise UserError("the workbook is locked with a password.", where=file.name) from None
        except (calamine.CalamineError, OSError, ValueError):
            raise not_a_table("a broken Excel file", file.name) from None
        self.parts = [name for name in self.book.sheet_names if self._height(name)]
        if not self.parts:
            raise UserError("the workbook has no sheet with something in it.", where=file.name)
        if sheet and sheet not in self.parts:
            raise UserError(
                "there is no sheet '{sheet}'; there are {parts}.",
                sheet=sheet,
                parts=", ".join(self.parts),
                where=file.name,
            )
        if errors not in ("", *ERRORS):
            raise UserError(
                "'{value}' is not among {choices}.", value=errors, choices=", ".join(ERRORS), where="errors"
            )
        shown = calamine.SheetVisibleEnum.Visible
        self.hidden = {one.name for one in self.book.sheets_metadata if one.visible != shown}
        self.part = sheet or self._shown_first(found.active)
        self.every_broken, self.is_alone = found.broken, True
        self.broken = found.broken.get(self.part, {})

    def other(self, name: str) -> "Sheets":
        """Another sheet of the same workbook."""
        found = copy(self)
        found.part, found.broken, found.restored = name, self.every_broken.get(name, {}), Notes()
        found.is_alone = False
        return found

    def _shown_first(self, active: int) -> str:
        """The sheet that a spreadsheet shows, or the first with something in it that is not hidden."""
        named = self.book.sheet_names[active : active + 1]
        seen = [name for name in self.parts if name not in self.hidden]
        return next((name for name in [*named, *seen] if name in seen), self.parts[0])

    @property
    def notes(self) -> Iterator[Note]:
        others = [f"{name} (hidden)" if name in self.hidden else name for name in self.parts if name != self.part]
        if others and self.is_alone:
            yield Note("The sheet '{sheet}' is read; the workbook also has {others}.",
                       values={"sheet": self.part, "others": first_five(others)})  # fmt: skip
        yield from self.restored
        if self.part in self.hidden:
            yield Note("The sheet '{sheet}' is hidden.", values={"sheet": self.part})

    @property
    def questions(self) -> Iterator[Question]:
        if self.broken and not self.errors:
            some = first_five(f"{place} {words}".strip() for place, words in self.broken.items())
            yield Question("errors", translate("Cells hold an error, or a formula without a value: {some}.", some=some),
                           tuple(ERRORS.items()))  # fmt: skip

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        self.restored = Notes()
        return restored(self._records(), self.restored)

    def _records(self) -> Iterator[tuple[int, Sequence[str]]]:
        sheet = self.book.get_sheet_by_name(self.part)
        above = (sheet.start or (0, 0))[0]
        left_out = {int(place.lstrip(ascii_uppercase)) for place in self.broken} if self.errors == "leave_out" else ()
        for number, row in enumerate(sheet.iter_rows(), 1):
            if above + number not in left_out:
                yield above + number, [_text(cell, f"{self.file.name}, row {above + number}") for cell in row]

    def _height(self, name: str) -> int:
        try:
            return int(self.book.get_sheet_by_name(name).total_height)
        except Exception:  # a chart has no cells; the library says so in several ways
            return 0


def _text(cell: Any, where: str) -> str:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, date | datetime | time):
        return cell.isoformat()
    text = str(cell.total_seconds() if isinstance(cell, timedelta) else cell)
    if "\0" in text:
        raise UserError("a text cannot hold a NUL character.", where=where)
    return text

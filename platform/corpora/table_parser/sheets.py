"""Excel workbooks: a sheet is a table. What a workbook would be unpacked is counted before the library opens it."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from corpora.formats import LINE_LIMIT, MEGABYTE
from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.opening import EXPANDED_LIMIT, Opened, members, pieces
from foundation.errors import UserError

CELLS = 20_000_000
"""The most cells a sheet may span, empty ones too: the library holds each of them."""
TEXT = 4 * EXPANDED_LIMIT
PLACE = re.compile(rb"\br=[\"']([A-Z]{1,3})([0-9]{1,7})[\"']")
SHARED = re.compile(rb"\bt=[\"']s[\"'][^<>]{0,200}>\s{0,9}<(?:\w{1,9}:)?v>\s{0,9}([0-9]{1,9})")
ITEM = re.compile(rb"</(?:\w{1,9}:)?si>")
OVERLAP = 512


class Sheets:
    """A sheet of a workbook as a reader of rows."""

    kind = "xlsx"
    encoding = delimiter = ""
    guessed = False
    names: tuple[str, ...] | None = None

    def __init__(self, file: Opened, sheet: str = "") -> None:
        _refuse_bombs(file)
        import python_calamine as calamine

        self.file = file
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
        self.part = sheet or self.parts[0]

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        sheet = self.book.get_sheet_by_name(self.part)
        above = (sheet.start or (0, 0))[0]
        for number, row in enumerate(sheet.iter_rows(), 1):
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


def _refuse_bombs(file: Opened) -> None:
    """Raise where unpacked bytes, spanned cells or repeated texts would fill the memory."""
    size, lengths = 0, list[int]()
    for name in sorted(members(file), key=lambda name: not name.endswith("sharedStrings.xml")):
        width = height = texts = 0
        before = b""
        for chunk in pieces(file, name):
            size += len(chunk)
            if size > EXPANDED_LIMIT:
                raise UserError(
                    "unpacked, it is larger than {expanded_limit} MB, which is the most.",
                    expanded_limit=EXPANDED_LIMIT // MEGABYTE,
                    where=file.name,
                )
            seen = before + chunk
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
                texts += sum(lengths[key] for key in map(int, SHARED.findall(seen)) if key < len(lengths))
        if width * height > CELLS or texts > TEXT:
            raise UserError("a sheet spans {width:,} cells; it may have at most {cells:,}. Remove what stands far from "
"the table.", width=width * height, cells=CELLS, where=file.name)  # fmt: skip


def _column(letters: bytes) -> int:
    number = 0
    for letter in letters:
        number = number * 26 + letter - 64
    return number

"""Excel workbooks: a sheet is a table."""

from collections.abc import Iterator, Sequence
from copy import copy
from datetime import date, datetime, time, timedelta
from string import ascii_uppercase
from typing import Any

from corpora.table_parser.delimited import restored
from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.notes import Note, Notes, Question
from corpora.table_parser.opening import Opened
from corpora.table_parser.workbook_scan import look_through
from foundation.errors import UserError, first_five
from foundation.translation import translatable, translate

ERRORS = {"empty": translatable("Take these cells as empty"), "leave_out": translatable("Leave these rows out")}


class Sheets:
    """A sheet of a workbook as a reader of rows: the one that is shown when it is opened, unless another is named.

    `errors` says what becomes of rows with a cell that shows an error, or a formula that no program has computed.
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
            raise UserError("'{value}' is none of {choices}.", value=errors, choices=", ".join(ERRORS), where="errors")
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

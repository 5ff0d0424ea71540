"""Numbers of a report as its readers write them. Stored, exported and drawn ones keep their point and hyphen."""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.formats import get_format
from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from evaluation.table_parts.contents import DASH, Cell, interval_text, joined
from foundation.translation import POP_ISOLATE

NUMBER = re.compile(r"(?P<sign>(?<![\w.)])-)?(?<![\w.])(?P<whole>\d+)(?:\.(?P<part>\d+))?(?![\w]|\.\w)")
INTERVAL = re.compile(rf"(?<!\S)(?P<low>\S*\d{POP_ISOLATE}?) to (?P<high>\S*\d{POP_ISOLATE}?)")
MINUS = "−"
LEFT_TO_RIGHT_ISOLATE = "\u2066"


def localized(text: str) -> str:
    """'−0.28 to 0.15' of '-0.28 to 0.15', in German '−0,28 bis 0,15'."""
    separator = get_format("DECIMAL_SEPARATOR")
    isolates = get_language_bidi()  # else the sign goes to the other end of its number

    def written(found: re.Match[str]) -> str:
        part = "" if found["part"] is None else f"{separator}{found['part']}"
        number = (MINUS if found["sign"] else "") + found["whole"] + part
        return f"{LEFT_TO_RIGHT_ISOLATE}{number}{POP_ISOLATE}" if found["sign"] and isolates else number

    return INTERVAL.sub(lambda found: _("%(low)s to %(high)s") % found.groupdict(), NUMBER.sub(written, text))


def localized_cell(cell: Cell) -> Cell:
    """A number, or an interval by itself, as people write it; words as they are."""
    return (
        cell
        if cell.value is None and not cell.parts
        else replace(cell, text=localized(cell.text), small=localized(cell.small))
    )


def number_cell(row: Mapping[str, Any], *beneath: str, **more: Any) -> Cell:
    """A number of the report, or a dash; its interval and more beneath it, and why one of the two is lacking."""
    value, small = row["value"], joined(interval_text(row["low"], row["high"], 2), *beneath)
    text = DASH if value is None else f"{value:z.2f}"
    return localized_cell(Cell(text, value, small=small, why=row["undefined"], **more))

"""Cells that a spreadsheet would run as formulas, defused by an apostrophe before them (OWASP, "CSV Injection").

Plain numbers such as -3 stay as they are.
"""

import re

STARTS = frozenset("=+-@＝＋－＠")
NUMBER = re.compile(r"[+-]?(?:\d+(?:[.,]\d+)*|\.\d+)(?:[eE][+-]?\d+)?%?", re.ASCII)
UNSEEN = re.compile(r"[\s\ufeff\u200b\0]+")
"""What may stand before a formula without being seen."""


PAIRS = tuple(f"'{letter}" for letter in [*STARTS, *" '\t\r\n\ufeff\u200b\0"])


def escape_cell(cell: str) -> str:
    """The cell, with an apostrophe before it if a spreadsheet could run it; `restore_cell` is the way back."""
    return f"'{cell}" if _live(cell) else cell


def restore_cell(cell: str) -> str:
    """The cell as it was before `escape_cell`."""
    return cell[1:] if cell.startswith("'") and _live(cell[1:]) else cell


def may_guard(text: str) -> bool:
    """Whether somewhere in a text an apostrophe may stand before a formula; cheap, and not exact."""
    return any(pair in text for pair in PAIRS)


def _live(cell: str) -> bool:
    """Whether a spreadsheet could run it; an apostrophe of its own counts as well, so that `restore_cell` is exact."""
    if cell[:1].isalnum():  # nearly all cells
        return False
    bare = cell.lstrip("'")
    if bare.startswith(("\t", "\r", "\n")):
        return True
    unseen = UNSEEN.match(bare)
    text = bare[unseen.end() if unseen else 0 :].rstrip()
    return text[:1] in STARTS and not NUMBER.fullmatch(text)

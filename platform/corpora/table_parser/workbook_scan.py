"""What a workbook would be unpacked, counted before a library opens it; its active sheet; cells that show an error."""

import re
from dataclasses import dataclass, field
from html import unescape

from corpora.formats import LINE_LIMIT, MEGABYTE
from corpora.table_parser.opening import Opened, hold_to_limit, members, pieces
from corpora.text_files.zip_members import EXPANDED_LIMIT, too_large
from foundation.errors import UserError

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
            raise UserError("a sheet spans {width:,} cells; it may have at most {cells:,}. Remove what stands far from "
"the table.", width=width * height, cells=CELLS, where=file.name)  # fmt: skip
    return _named(file, broken)


def _cells_of_a_row(seen: bytes) -> int:
    """The most cells between two rows, of a piece of a sheet; they need not say where they stand."""
    return max((len(CELL.findall(row)) for row in seen.split(b"<row")), default=0)


def _named(file: Opened, broken: dict[str, dict[str, str]]) -> Workbook:
    """What was found by file, by sheet."""
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

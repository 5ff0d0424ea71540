"""Excel workbooks made on the spot: the smallest that a spreadsheet opens, sheet by sheet."""

from collections.abc import Collection, Mapping, Sequence
from io import BytesIO
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def letters(number: int) -> str:
    """1 is A, 27 is AA."""
    return (letters((number - 1) // 26) if number > 26 else "") + chr(65 + (number - 1) % 26)


def sheet(rows: Sequence[Sequence[object]]) -> str:
    lines = []
    for row, cells in enumerate(rows, 1):
        inner = "".join(cell(f"{letters(column)}{row}", value) for column, value in enumerate(cells, 1))
        lines.append(f'<row r="{row}">{inner}</row>')
    return f'<?xml version="1.0"?><worksheet xmlns="{MAIN}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def cell(place: str, value: object) -> str:
    if isinstance(value, int | float):
        return f'<c r="{place}"><v>{value}</v></c>'
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{escape(str(value))}</t></is></c>'


def workbook(
    sheets: Mapping[str, Sequence[Sequence[object]] | str], *, hidden: Collection[str] = (), active: int = 0
) -> bytes:
    """A workbook of these sheets: rows of texts and numbers, or the XML of a sheet; the `active` one is shown."""
    names = list(sheets)
    entries = "".join(
        f'<sheet name="{name}" sheetId="{n}"{" state=" + repr("hidden") if name in hidden else ""} r:id="rId{n}"/>'
        for n, name in enumerate(names, 1)
    )
    links = "".join(
        f'<Relationship Id="rId{n}" Type="{OFFICE}/worksheet" Target="worksheets/sheet{n}.xml"/>'
        for n in range(1, len(names) + 1)
    )
    files = {
        "[Content_Types].xml": f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" '
        'ContentType="application/xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}">'
        f'<bookViews><workbookView activeTab="{active}"/></bookViews><sheets>{entries}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}/relationships">{links}</Relationships>',
    }
    for number, rows in enumerate(sheets.values(), 1):
        files[f"xl/worksheets/sheet{number}.xml"] = rows if isinstance(rows, str) else sheet(rows)
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def zipped(files: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these files."""
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()

"""The kind of a file: one of the kinds of tables, or something else that is called by its name."""

import re

from corpora.table_parser.opening import Opened, members
from corpora.text_files.magic_bytes import kind_of_bytes
from foundation.errors import UserError

ADVICE = "a table was expected: text, CSV, JSON, .xlsx or Parquet."
OFFICE = {
    "word/": "a Word document",
    "ppt/": "a PowerPoint presentation",
    "xl/workbook.bin": "a binary Excel file (.xlsb); save it as .xlsx",
    "META-INF/container.xml": "an e-book (EPUB)",
    "content.xml": "an OpenDocument file; save a spreadsheet as .xlsx or CSV",
    "Index/": "an Apple iWork document; export it as .xlsx or CSV",
}
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
MARKED_UP = [
    (re.compile(r"<!doctype html|<(?:html|head|body|table|div|script|meta|title|p|br|span)[\s>]", re.I),
     "an HTML page; save the table itself as CSV or .xlsx"),
    (re.compile(r"<\?xml|<!--|<!DOCTYPE"), "an XML file"),
    (re.compile(r"\{\\rtf"), "a Rich Text (RTF) document"),
    (re.compile(r"\\documentclass|\\begin\{"), "a LaTeX document"),
    (re.compile(r"%!PS"), "a PostScript document"),
    (re.compile(r"-----BEGIN "), "a key or a certificate"),
]  # fmt: skip


def packed_kind(file: Opened) -> str:
    """The kind that the first bytes settle: empty, gz, zip, xlsx or parquet, and "" where it is text.

    Another file that is no text, such as a PDF, is a UserError that names it.
    """
    head = file.head(512)
    if not head:
        raise UserError("the file is empty.", where=file.name)
    if head.startswith(b"\x1f\x8b"):
        return "gz"
    if head.startswith(b"PK\x03\x04"):
        return _zip_kind(file)
    if head.startswith(b"PAR1"):
        return "parquet"
    if head.startswith(OLD_OFFICE):
        raise not_a_table(_old_office(file.name), file.name)
    if looks := kind_of_bytes(head):
        raise not_a_table(looks, file.name)
    return ""


def _zip_kind(file: Opened) -> str:
    names = members(file)
    if any(name == "xl/workbook.xml" for name in names):
        return "xlsx"
    for start, words in OFFICE.items():
        if any(name.startswith(start) for name in names) and not any(name.endswith((".csv", ".tsv")) for name in names):
            raise not_a_table(words, file.name)
    return "zip"


def _old_office(name: str) -> str:
    ending = name.lower().rpartition(".")[2]
    known = {"xls": "an old Excel file (.xls); save it as .xlsx", "doc": "an old Word document",
             "ppt": "an old PowerPoint presentation", "xlsx": "an Excel file locked with a password",
             "msg": "an Outlook message"}  # fmt: skip
    return known.get(ending, "an old Office document")


def refuse_marked_up(text: str, name: str) -> None:
    """Raise where a text is a page, a document or a key, and no table."""
    begin = text[:2000].lstrip("\ufeff \t\r\n")
    for pattern, words in MARKED_UP:
        if pattern.match(begin):
            raise not_a_table(words, name)


def not_a_table(words: str, name: str) -> UserError:
    """The error about a file of another kind."""
    return UserError("this is {words}; {advice}", words=words, advice=ADVICE, where=name)

"""The encoding of a text: declared, marked, UTF-8, or a guess that the page names."""

import codecs

from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.opening import CHUNK, Opened
from corpora.text_files.encodings import encoding_of
from corpora.text_files.magic_bytes import UTF_32

HEAD = 8 * 1024
NOT_IN_1252 = bytes((0x81, 0x8D, 0x8F, 0x90, 0x9D))


def encoding_for(file: Opened, declared: str) -> tuple[str, bool]:
    """Python's name of the encoding, and whether it is a guess."""
    head = file.head()
    if declared:
        found = encoding_of(declared, file.name)
        return ("utf-8-sig" if found == "utf-8" else found), False
    if head.startswith(codecs.BOM_UTF8):
        return "utf-8-sig", False
    if head.startswith(UTF_32):
        return "utf-32", False
    if head.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16", False
    if wide := _unmarked(head[:HEAD]):
        return wide, True
    _refuse_controls(head[:HEAD], file.name)
    if _is_utf_8(file):
        return "utf-8", False
    return _single_byte(file), True


def _unmarked(head: bytes) -> str:
    """UTF-16 without its mark, by the zeros at every other byte."""
    for start, exact in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(head) >= 8 and head[start::2].count(0) > 0.4 * len(head[start::2]) and not head[1 - start :: 2].count(0):
            return exact
    return ""


def _refuse_controls(head: bytes, name: str) -> None:
    control = sum(head.count(byte) for byte in range(32) if byte not in b"\t\n\f\r\x1b")
    if control > max(len(head) / 20, 2 if b"\0" in head else 8):
        raise not_a_table("a binary file", name)


def _is_utf_8(file: Opened) -> bool:
    decoder, stream = codecs.getincrementaldecoder("utf-8")(), file.fresh()
    try:
        while chunk := stream.read(CHUNK):
            decoder.decode(chunk)
        decoder.decode(b"", True)
    except UnicodeDecodeError:
        return False
    return True


def _single_byte(file: Opened) -> str:
    stream = file.fresh()
    while chunk := stream.read(CHUNK):
        if any(byte in chunk for byte in NOT_IN_1252):
            return "latin-1"
    return "windows-1252"

"""The first bytes of files that are not text."""

import codecs

from foundation.errors import UserError

MAGIC = {
    b"%PDF-": "a PDF document",
    b"PK\x03\x04": "a ZIP archive or an Office document",
    b"PK\x05\x06": "an empty ZIP archive",
    b"\x1f\x8b": "a gzip archive",
    b"BZh91AY&SY": "a bzip2 archive",
    b"\xfd7zXZ\0": "an xz archive",
    b"7z\xbc\xaf\x27\x1c": "a 7-Zip archive",
    b"\x28\xb5\x2f\xfd": "a zstd archive",
    b"\x89PNG\r\n\x1a\n": "an image (PNG)",
    b"\xff\xd8\xff": "an image (JPEG)",
    b"GIF87a": "an image (GIF)",
    b"GIF89a": "an image (GIF)",
    b"II*\0": "an image (TIFF)",
    b"MM\0*": "an image (TIFF)",
    b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an old Office document",
    b"SQLite format 3\0": "an SQLite database",
    b"\x7fELF": "a program",
}
UTF_32 = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)
UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
HEAD = 8 * 1024


def refuse_binary(chunk: bytes, encoding: str, name: str) -> None:
    """Raise where the first bytes of a file are not those of a text in `encoding`."""
    if looks := kind_of_bytes(chunk):
        raise UserError("this is not a text file; it looks like {looks}.", looks=looks, where=name)
    if encoding == "utf-8":
        _refuse_wide(chunk, name)
    elif chunk.startswith(codecs.BOM_UTF8):
        raise UserError(
            'the file begins with the mark of UTF-8, but encoding = "{encoding}" is declared; leave that out.',
            encoding=encoding,
            where=name,
        )
    if "16" not in encoding and "32" not in encoding and _is_binary(chunk[:HEAD]):
        raise UserError("this is not a text file; it looks binary.", where=name)


def kind_of_bytes(chunk: bytes) -> str:
    """The kind of file in words, or empty."""
    if chunk.startswith(b"RIFF") and chunk[8:12] in (b"WEBP", b"WAVE", b"AVI "):
        return "an image, sound or film"
    return next((words for magic, words in MAGIC.items() if chunk.startswith(magic)), "")


def _refuse_wide(chunk: bytes, name: str) -> None:
    wide = "utf-32" if chunk.startswith(UTF_32) else "utf-16" if chunk.startswith(UTF_16) else ""
    if wide:
        raise UserError(
            'this is {wide}; save it as UTF-8, or declare encoding = "{encoding}".',
            wide=wide.upper(),
            encoding=wide,
            where=name,
        )
    head = chunk[:HEAD]
    for start, exact in ((1, "utf-16-le"), (0, "utf-16-be")):
        if len(head) >= 8 and head[start::2].count(0) > 0.4 * len(head) and head[1 - start :: 2].count(0) == 0:
            raise UserError(
                'this looks like UTF-16 without its mark; save it as UTF-8, or declare encoding = "{exact}".',
                exact=exact,
                where=name,
            )


def _is_binary(head: bytes) -> bool:
    """Whether it has NUL bytes, and more than one byte in twenty is a control character that no text holds."""
    control = sum(head.count(byte) for byte in range(32) if byte not in b"\t\n\f\r\x1b")
    return b"\0" in head and len(head) >= 64 and control > len(head) / 20

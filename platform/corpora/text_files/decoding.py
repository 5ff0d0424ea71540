"""Bytes to lines of text, streamed. Lines end with LF or CRLF; nothing else breaks a line.

UTF-8, with or without a byte order mark, unless another encoding is declared. A file that is not text is a `UserError`
that says what it looks like and where.
"""

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import BinaryIO, Protocol, cast

from corpora.text_files.encodings import encoding_of
from corpora.text_files.magic_bytes import refuse_binary
from foundation.errors import UserError, first_five

MEGABYTE = 1024 * 1024
UPLOAD_LIMIT = 50 * MEGABYTE
"""The most bytes an upload may have. On the command line there is no limit."""
LINE_LIMIT = 1_000_000
"""The most characters a line may have, so that a file without line breaks does not fill the memory."""
CHUNK = 64 * 1024


class Readable(Protocol):
    """A file open in binary mode; an upload of a web framework is one too."""

    def read(self, size: int = ..., /) -> bytes: ...


@dataclass(frozen=True)
class TextFile:
    """A file to read: a path, bytes or an open binary file, and the name it is called by in errors.

    `encoding` None is UTF-8; `limit` is the most bytes it may have, None for any number.
    """

    source: Path | bytes | Readable
    name: str
    encoding: str | None = None
    limit: int | None = None


def read_lines(file: TextFile, *, keep_ends: bool = False) -> Iterator[str]:
    """The lines of `file`, one after the other, without their ends (with them where `keep_ends`)."""
    encoding = encoding_of(file.encoding, file.name)
    with opened(file) as stream:
        rest, number = "", 1
        for text in _Decoder(file, stream, encoding).texts():
            *lines, rest = (rest + text).split("\n")
            for line in lines:
                _refuse_long(line, number, file.name)
                yield line + "\n" if keep_ends else line.removesuffix("\r")
                number += 1
            _refuse_long(rest, number, file.name)
        if rest:
            yield rest


class _Decoder:
    """Chunks of bytes to chunks of text, counting bytes and lines for the errors."""

    def __init__(self, file: TextFile, stream: Readable, encoding: str) -> None:
        self.file, self.stream, self.encoding = file, stream, encoding
        self.wide = "\n".encode(encoding) != b"\n"
        self.decoder = codecs.getincrementaldecoder("utf-8-sig" if encoding == "utf-8" else encoding)()
        self.bytes_before = 0
        self.lines_before = 0

    def texts(self) -> Iterator[str]:
        head = self.stream.read(CHUNK)
        refuse_binary(head, self.encoding, self.file.name)
        yield self._text(head, final=False).removeprefix("\ufeff")
        while chunk := self.stream.read(CHUNK):
            yield self._text(chunk, final=False)
        yield self._text(b"", final=True)

    def _text(self, chunk: bytes, *, final: bool) -> str:
        if not self.wide and b"\0" in chunk:
            self._refuse_nul(chunk)
        try:
            text = self.decoder.decode(chunk, final)
        except UnicodeDecodeError as error:
            raise self._bad_byte(error, self.bytes_before + len(chunk)) from None
        if self.wide and "\0" in text:
            line = self.lines_before + text[: text.index("\0")].count("\n") + 1
            raise UserError("a text cannot hold a NUL character.", where=f"{self.file.name}, line {line}")
        self.bytes_before += len(chunk)
        self.lines_before += text.count("\n")
        if self.file.limit is not None and self.bytes_before > self.file.limit:
            raise _too_large(self.file.name, None, self.file.limit)
        return text

    def _bad_byte(self, error: UnicodeDecodeError, fed: int) -> UserError:
        position = fed - len(error.object) + error.start
        before = error.object[: error.start].decode(error.encoding, "ignore")
        line = self.lines_before + before.count("\n") + 1
        place = f"byte 0x{error.object[error.start]:02x} at position {position:,} (line {line:,})"
        if self.file.encoding is None:
            return UserError(
                '{place} is not UTF-8; declare its encoding, for example encoding = "latin-1".',
                place=place,
                where=self.file.name,
            )
        return UserError(
            "{place} is not {encoding}, the declared encoding.",
            place=place,
            encoding=self.file.encoding,
            where=self.file.name,
        )

    def _refuse_nul(self, chunk: bytes) -> None:
        """Read on to the end only to name the lines."""
        position = self.bytes_before + chunk.index(b"\0")
        line, seen = self.lines_before + 1, list[int]()
        while chunk:
            for index, part in enumerate(chunk.split(b"\n")):
                line += index > 0
                if b"\0" in part and (not seen or seen[-1] != line):
                    seen.append(line)
            chunk = self.stream.read(CHUNK)
        raise UserError(
            "a text cannot hold a NUL byte; the first is at position {position:,}, on line {seen}.",
            position=position,
            seen=first_five(seen),
            where=self.file.name,
        )


def _refuse_long(line: str, number: int, name: str) -> None:
    if len(line) > LINE_LIMIT:
        raise UserError(
            "the line is longer than {line_limit:,} characters; are these lines of text?",
            line_limit=LINE_LIMIT,
            where=f"{name}, line {number}",
        )


@contextmanager
def opened(file: TextFile) -> Iterator[Readable]:
    """The open file, its size checked; a path is opened and closed here, a file of the caller's is left open."""
    if isinstance(file.source, bytes):
        _refuse_large(len(file.source), file)
        yield BytesIO(file.source)
    elif isinstance(file.source, Path):
        with _open_path(file.source, file.name) as stream:
            _refuse_large(file.source.stat().st_size, file)
            yield stream
    else:
        _refuse_large(_size(file.source), file)
        yield file.source


def _open_path(path: Path, name: str) -> BinaryIO:
    try:
        return path.open("rb")
    except FileNotFoundError:
        raise UserError("there is no such file.", where=name) from None
    except IsADirectoryError:
        raise UserError("this is a folder, and a file was expected.", where=name) from None
    except OSError as error:
        raise UserError("the file cannot be read: {strerror}.", strerror=error.strerror, where=name) from None


def _size(stream: Readable) -> int | None:
    """The bytes of an open file, where they are known without reading it."""
    declared = getattr(stream, "size", None)
    if isinstance(declared, int):
        return declared
    file = cast(BinaryIO, stream)
    try:
        here = file.tell()
        size = file.seek(0, 2)
        file.seek(here)
    except (AttributeError, OSError):
        return None
    return size


def _refuse_large(size: int | None, file: TextFile) -> None:
    if size is not None and file.limit is not None and size > file.limit:
        raise _too_large(file.name, size, file.limit)


def _too_large(name: str, size: int | None, limit: int) -> UserError:
    has = f"the file has {_megabytes(size)}" if size is not None else "the file is too large"
    return UserError("{has}; it may have at most {megabytes}.", has=has, megabytes=_megabytes(limit), where=name)


def _megabytes(size: int) -> str:
    return f"{size:,} bytes" if size < MEGABYTE else f"{size / MEGABYTE:,.1f} MB".replace(".0 MB", " MB")


def read_chunks(file: TextFile) -> Iterator[bytes]:
    """The bytes of `file` as they are, held to its limit: for formats that know their own encoding."""
    with opened(file) as stream:
        size = 0
        while chunk := stream.read(CHUNK):
            size += len(chunk)
            if file.limit is not None and size > file.limit:
                raise _too_large(file.name, None, file.limit)
            yield chunk

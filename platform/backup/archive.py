"""The file of a backup: a ZIP of parts as they are, and last a manifest with the SHA-256 of each.

Nothing in it is compressed again, so that no small file can become a large one; a part is read by its name, never
unpacked into a folder.
"""

import hashlib
import json
import struct
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from stat import S_IFMT, S_IFREG
from typing import IO, Any, NamedTuple
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from foundation.errors import UserError

KIND, FORMAT = "restyle-backup", 1
MANIFEST, DATABASE, KEY, FILES = "manifest.json", "database.dump", "secret-key", "files/"
EPOCH = (1980, 1, 1, 0, 0, 0)
CHUNK = 1 << 20
LONGEST_MANIFEST = 64 << 20  # bytes
LONGEST_KEY = 10_000
BROKEN = (BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError, struct.error)


class Part(NamedTuple):
    """One part: its name in the archive, its size in bytes, and its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


class _Forward:
    """A stream that is never sought: bytes written to S3, or into a pipe, are gone."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.write, self.flush = stream.write, stream.flush


class Writer:
    """Writes an archive to a stream, which is never sought. An archive that is broken off has no end."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._zip = ZipFile(_Forward(stream), "w", ZIP_STORED)  # type: ignore[call-overload]
        self.parts: list[Part] = []

    def __enter__(self) -> "Writer":
        return self

    def __exit__(self, *raised: object) -> None:
        self._zip.fp = None

    def add(self, name: str, pieces: Iterable[bytes]) -> Part:
        """Write one part piece by piece."""
        size, digest = 0, hashlib.sha256()
        with self._zip.open(_info(name), "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
        self.parts.append(Part(name, size, digest.hexdigest()))
        return self.parts[-1]

    def end(self, about: dict[str, Any]) -> None:
        """Write the manifest and the archive's end."""
        manifest = {"kind": KIND, "format": FORMAT, **about, "parts": [part._asdict() for part in self.parts]}
        with self._zip.open(_info(MANIFEST), "w") as member:
            member.write(json.dumps(manifest, indent=1).encode())
        self._zip.close()


@dataclass(frozen=True)
class Backup:
    """An archive that agrees with its manifest in every byte."""

    path: Path
    about: dict[str, Any]
    parts: dict[str, Part]

    @contextmanager
    def opened(self, name: str) -> Iterator[IO[bytes]]:
        """A part, open for reading."""
        with ZipFile(self.path) as archive, archive.open(name) as part:
            yield part

    @property
    def files(self) -> list[Part]:
        """The parts that are files of storage."""
        return [part for name, part in self.parts.items() if name.startswith(FILES)]


def read(path: Path) -> Backup:
    """The archive at `path`, each part held to its SHA-256. Raises UserError where it is damaged or foreign."""
    try:
        with ZipFile(path) as archive:
            about = _manifest(archive, path)
            parts = _parts(about, archive.infolist(), path)
            for part in parts.values():
                _verify(archive, part, path)
    except FileNotFoundError:
        raise UserError("There is no such file.", where=str(path)) from None
    except OSError as error:
        raise UserError("The file cannot be read: {strerror}.", strerror=error.strerror, where=str(path)) from None
    except BROKEN as error:
        raise _foreign(path) from error
    return Backup(path, about, parts)


def _manifest(archive: ZipFile, path: Path) -> dict[str, Any]:
    infos = [info for info in archive.infolist() if info.filename == MANIFEST]
    if len(infos) != 1 or infos[0].file_size > LONGEST_MANIFEST or infos[0].compress_type != ZIP_STORED:
        raise _foreign(path)
    try:
        about = json.loads(archive.read(MANIFEST))
    except RecursionError:
        raise _foreign(path) from None
    if not isinstance(about, dict) or about.get("kind") != KIND:
        raise _foreign(path)
    if about.get("format") != FORMAT:
        raise UserError("The backup is of a later form: restore it with a newer Restyle.", where=str(path))
    return about


def _parts(about: dict[str, Any], infos: list[ZipInfo], path: Path) -> dict[str, Part]:
    """The parts that the manifest names, which must be those that are there; none can lead out of its place."""
    try:
        listed = [Part(str(one["name"]), int(one["size"]), str(one["sha256"])) for one in about["parts"]]
    except (KeyError, TypeError):
        raise _foreign(path) from None
    parts = {part.name: part for part in listed}
    there = {info.filename: info for info in infos if info.filename != MANIFEST}
    plain = all(map(_is_plain, infos)) and sum(info.file_size for info in infos) <= path.stat().st_size
    whole = len(parts) == len(listed) and len(infos) == len(there) + 1 and set(there) == set(parts)
    if not plain or not whole or DATABASE not in parts:
        raise _foreign(path)
    if bad := next((name for name in parts if not _is_ours(name)), None):
        raise UserError("A backup holds nothing of the name {bad!r}.", bad=bad, where=str(path))
    return parts


def _is_plain(info: ZipInfo) -> bool:
    """Whether a member is a plain file: no folder, link or device, not compressed, not encrypted."""
    mode = S_IFMT(info.external_attr >> 16)
    stored = info.compress_type == ZIP_STORED and info.file_size == info.compress_size
    return stored and mode in (0, S_IFREG) and not info.flag_bits & 0x1 and not info.is_dir()


def _is_ours(name: str) -> bool:
    if not name.startswith(FILES):
        return name in (DATABASE, KEY)
    rest = name.removeprefix(FILES)
    steps = rest.split("/")
    return str(PurePosixPath(rest)) == rest and not {"", ".", ".."} & set(steps) and not {"\\", "\0", ":"} & set(rest)


def _verify(archive: ZipFile, part: Part, path: Path) -> None:
    size, digest = 0, hashlib.sha256()
    with archive.open(part.name) as member:
        while piece := member.read(CHUNK):
            digest.update(piece)
            size += len(piece)
    if (size, digest.hexdigest()) != (part.size, part.sha256):
        raise UserError("The backup is damaged: {name} is not what was written.", name=part.name, where=str(path))


def _info(name: str) -> ZipInfo:
    info = ZipInfo(name, EPOCH)
    info.external_attr = (S_IFREG | 0o600) << 16
    return info


def _foreign(path: Path) -> UserError:
    return UserError("This is no backup of Restyle, or it is damaged or not whole.", where=str(path))

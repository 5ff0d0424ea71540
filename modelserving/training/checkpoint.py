"""A checkpoint as one file: a zip (stored) with a manifest and the files of `Model.save`, side by side.

    checkpoint.json        the manifest: the model, its training, the versions, and the SHA-256 of each file
    weights.safetensors    and other members that end in .safetensors, .json, .txt or .tsv

A file from elsewhere is read as if an enemy had made it: nothing of it is run or unpickled, no name in it is a path,
nothing in it is larger than the file itself, and each fault is one sentence.
"""

import hashlib
import json
import re
import shutil
import stat
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from platform import python_version
from typing import IO, Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from foundation import checkpoint_members as members
from foundation.errors import UserError
from foundation.options import Value

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
MOST_MEMBERS = 200
LARGEST_DIRECTORY = 100_000  # bytes; the zip's list of its members is read into memory before it can be checked
END, END_64 = struct.Struct("<4s4H2LH"), struct.Struct("<4sQ2H2L4Q")
LOCATOR_64 = 20  # bytes
BROKEN = "The file is not a checkpoint, or is broken: it is not a readable ZIP archive."
FAULTS = (BadZipFile, OSError, EOFError, ValueError, NotImplementedError, RuntimeError, KeyError, struct.error)


@contextmanager
def opened(path: Path | IO[bytes]) -> Iterator[ZipFile]:
    """The zip, with its list of members checked; a fault of the zip within the block is a UserError too."""
    try:
        with path.open("rb") if isinstance(path, Path) else _left_open(path) as file:
            _check_end(file)
            with ZipFile(file) as zipped:
                _check_members(zipped, file.seek(0, 2))
                yield zipped
    except FAULTS as error:
        if isinstance(error, OSError) and error.errno:
            raise  # of this machine, not of the file
        raise UserError(BROKEN) from None


@contextmanager
def _left_open(file: IO[bytes]) -> Iterator[IO[bytes]]:
    yield file


def _check_end(file: IO[bytes]) -> None:
    """Refuse a zip with a long list of members, by the record at its end, and one with anything behind this record."""
    size = file.seek(0, 2)
    tail = min(size, END.size + LOCATOR_64 + END_64.size)
    file.seek(size - tail)
    end = file.read(tail)
    if len(end) < END.size or end[-END.size :][:4] != b"PK\5\6":
        raise UserError(BROKEN)
    *_, count, directory, _, _ = END.unpack(end[-END.size :])
    if end[-END.size - LOCATOR_64 :][:4] == b"PK\6\7" and len(end) == END.size + LOCATOR_64 + END_64.size:
        *_, count, directory, _ = END_64.unpack(end[: END_64.size])
    if count > MOST_MEMBERS or directory > LARGEST_DIRECTORY:
        raise UserError(
            "The file is not a checkpoint: it has more than {most_members} members.", most_members=MOST_MEMBERS
        )


def _check_members(zipped: ZipFile, size: int) -> None:
    names = [entry.filename for entry in zipped.infolist()]
    for entry in zipped.infolist():
        name = entry.filename
        if not SAFE_NAME.fullmatch(name) or entry.orig_filename != name or names.count(name) > 1:
            raise UserError("A member's name is a path, occurs twice, or has odd characters.", where=repr(name)[:80])
        if stat.S_IFMT(entry.external_attr >> 16) not in (0, stat.S_IFREG) or entry.is_dir():
            raise UserError("A member is a link or a folder.", where=name)
        if entry.compress_type != ZIP_STORED or entry.file_size != entry.compress_size or entry.flag_bits & 1:
            raise UserError("A member is compressed or locked; a checkpoint stores its members uncompressed.",
                            where=name)  # fmt: skip
    if sum(entry.file_size for entry in zipped.infolist()) > size:
        raise UserError("The members say that they are larger than the file.")


MANIFEST = "checkpoint.json"
FORMAT = "restyle checkpoint 1"
ENDING = ".zip"
LONGEST_MANIFEST = 1_000_000  # bytes
EPOCH = (1980, 1, 1, 0, 0, 0)  # of every member: equal contents make equal files
PACKAGES = ("torch", "numpy", "transformers", "nltk")
CHUNK = 1 << 20


@dataclass(frozen=True)
class Manifest:
    """The facts of a checkpoint.

    `options` are those it was trained with; `trained` has the seed, steps, score, data's digest, seconds, device, as
    far as they are known; `files` has the SHA-256 and the size of each other member.
    """

    model: str
    options: Mapping[str, Value] = field(default_factory=dict)
    directions: tuple[tuple[str, str], ...] = ()
    trained: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def plain(self) -> dict[str, Any]:
        """The stored form."""
        return {"format": FORMAT, **asdict(self), "directions": [list(pair) for pair in self.directions]}


def versions() -> dict[str, str]:
    """The versions of the libraries on which results may depend; none is imported."""
    found = {"python": python_version()}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def pack(folder: Path, about: Manifest, out: Path) -> Manifest:
    """Write the files of `folder` and their manifest into the zip `out`; the manifest as written.

    A ValueError where a checkpoint cannot hold a file of that kind: that is a fault of the model's `save`.
    """
    files = {path.name: _about(path) for path in sorted(folder.iterdir())}
    for name in files:
        if not SAFE_NAME.fullmatch(name) or not members.is_known(name) or name == MANIFEST:
            raise ValueError(f"A checkpoint holds no file like {name}.")
    manifest = Manifest(about.model, about.options, about.directions, about.trained, about.versions, files)
    _zip(folder, written(manifest), list(files), out)
    return manifest


def written(manifest: Manifest) -> bytes:
    """The manifest as its file holds it."""
    return json.dumps(manifest.plain(), ensure_ascii=False, indent=1).encode()


def zip_again(folder: Path, out: Path) -> None:
    """Make the file of a checkpoint of a folder with its members and its manifest, which nobody has checked yet."""
    names = sorted(path.name for path in folder.iterdir() if path.is_file() and path.name != MANIFEST)
    _zip(folder, (folder / MANIFEST).read_bytes(), names, out)


def _zip(folder: Path, manifest: bytes, names: list[str], out: Path) -> None:
    with ZipFile(out, "w", ZIP_STORED) as zipped:
        zipped.writestr(ZipInfo(MANIFEST, EPOCH), manifest)
        for name in names:
            with (folder / name).open("rb") as source, zipped.open(_entry(folder / name), "w") as target:
                shutil.copyfileobj(source, target, CHUNK)


def _entry(path: Path) -> ZipInfo:
    entry = ZipInfo(path.name, EPOCH)
    entry.file_size = path.stat().st_size  # tells the writer whether it needs zip64
    return entry


def _about(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        return {"sha256": hashlib.file_digest(file, "sha256").hexdigest(), "size": path.stat().st_size}


def verify(path: Path | IO[bytes], where: str = "") -> Manifest:
    """The manifest of a checkpoint, every byte of which was checked; a UserError says what is wrong."""
    return _read(path, where, None)


def unpack(path: Path | IO[bytes], folder: Path, where: str = "") -> Manifest:
    """Verify a checkpoint and write its files (the manifest left out) into `folder`; a UserError as `verify`'s."""
    folder.mkdir(parents=True, exist_ok=True)
    return _read(path, where, folder)


def _read(path: Path | IO[bytes], where: str, folder: Path | None) -> Manifest:
    where = where or (path.name if isinstance(path, Path) else "the checkpoint")
    try:
        with opened(path) as zipped:
            manifest = _manifest(zipped)
            there = {entry.filename: entry for entry in zipped.infolist() if entry.filename != MANIFEST}
            _same_names(manifest, there)
            for name, entry in there.items():
                _member(zipped, entry, manifest.files[name], folder)
    except UserError as error:
        raise UserError(error.sentence, where=f"{where}, {error.where}" if error.where else where) from None
    return manifest


def _manifest(zipped: ZipFile) -> Manifest:
    entry = next((one for one in zipped.infolist() if one.filename == MANIFEST), None)
    if entry is None:
        raise UserError("The file is not a checkpoint: it has no {manifest}.", manifest=MANIFEST)
    if entry.file_size > LONGEST_MANIFEST:
        raise UserError("The manifest is too long.", where=MANIFEST)
    found = members.json_of(zipped.read(entry), MANIFEST, finite=True)
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise UserError("The file is a checkpoint in an unknown format ({format}).", format=FORMAT, where=MANIFEST)
    return _checked(found)


def _checked(found: dict[str, Any]) -> Manifest:
    """The manifest, with the type of each part checked."""
    rules = {
        "model": isinstance(found.get("model"), str) and 0 < len(found["model"]) <= 60,
        "options": _is_flat(found.get("options")),
        "directions": _are_pairs(found.get("directions")),
        "trained": isinstance(found.get("trained"), dict),
        "versions": _is_flat(found.get("versions")),
        "files": isinstance(found.get("files"), dict) and all(map(_is_file, found["files"].values())),
    }
    for key, holds in rules.items():
        if not holds:
            raise UserError("The manifest's {key} are missing or malformed.", key=key, where=MANIFEST)
    directions = tuple((source, target) for source, target in found["directions"])
    return Manifest(found["model"], found["options"], directions, found["trained"], found["versions"], found["files"])


def _is_flat(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(one, bool | int | float | str) for one in value.values())


def _are_pairs(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(pair, list) and len(pair) == 2 and all(isinstance(style, str) and style for style in pair)
        for pair in value
    )


def _is_file(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("sha256"), str) and type(value.get("size")) is int


def _same_names(manifest: Manifest, there: Mapping[str, ZipInfo]) -> None:
    for name in sorted(set(manifest.files) ^ set(there)):
        said = "is not in the file" if name in manifest.files else "is not named by the manifest"
        raise UserError("The file is broken or was changed: {name} {said}.", name=name, said=said)


def _member(zipped: ZipFile, entry: ZipInfo, said: Mapping[str, Any], folder: Path | None) -> None:
    """Check a whole member, its digest and its content; write it if there is a folder."""
    name = entry.filename
    if not members.is_known(name):
        raise UserError("A checkpoint holds {kinds} alone.", kinds=members.KINDS, where=name)
    if entry.file_size != said["size"]:
        raise UserError("The file is broken or was changed: its size is not the manifest's.", where=name)
    with zipped.open(entry) as stream:
        members.check(name, stream, entry.file_size)
    whole, target = hashlib.sha256(), (folder / name).open("wb") if folder else None
    try:
        with zipped.open(entry) as stream:
            while part := stream.read(CHUNK):
                whole.update(part)
                if target:
                    target.write(part)
    finally:
        if target:
            target.close()
    if whole.hexdigest() != said["sha256"]:
        raise UserError("The file is broken or was changed: its SHA-256 is not the manifest's.", where=name)

"""In which format a file of gold is, and of which split: by its name, its first bytes and its first line."""

import re
from pathlib import Path

import orjson

from annotation.gold.release.settings import gold_formats
from foundation.errors import UserError, first_five

SPLITS = ("train", "tune", "test")
SPLIT = re.compile(r"(?<![a-z])(train|training|tune|tuning|dev|valid|validation|val|test)(?![a-z])")
NAMED = {"training": "train", "tuning": "tune", "dev": "tune", "valid": "tune", "validation": "tune", "val": "tune"}
HEAD = 64 * 1024


def head_of(path: Path) -> bytes:
    """The first bytes of a file, as many as tell its format."""
    with path.open("rb") as stream:
        return stream.read(HEAD)


def is_gyafc_folder(folder: Path) -> bool:
    """Whether it has a folder train, tune or test with files without an ending in it."""
    return any(
        path.is_file() and "." not in path.name
        for split_folder in folder.rglob("*")
        if split_folder.is_dir() and split_folder.name in SPLITS
        for path in split_folder.iterdir()
    )


def format_in_archive(path: Path) -> str:
    """The format of a file in an archive; "" for one that is no gold, such as a readme."""
    if path.suffix == ".md" or path.stem.lower() in ("readme", "license", "licence", "datasheet", "guidelines"):
        return ""
    try:
        return recognised_format(path, path.name)
    except UserError:
        return ""


def recognised_format(path: Path, name: str) -> str:
    """The format of a file by its ending and its first line."""
    head = head_of(path)
    first = head.decode("utf-8-sig", "replace").lstrip()
    if path.suffix == ".parquet" or head.startswith(b"PAR1"):
        return "parquet"
    if first.startswith("{"):
        return _of_object(first)
    if first.startswith("kind,source_id,"):
        return "csv"
    lines = first.replace("\r\n", "\n").split("\n\n")[0].splitlines()
    if len(lines) in (3, 5) and path.suffix in ("", ".txt"):
        return "medlane"
    raise UserError(
        "it is in none of the forms of gold; there are {gold_formats}.",
        gold_formats=first_five(gold_formats()),
        where=name,
    )


def _of_object(first: str) -> str:
    """JSON lines of gold say a kind, those of MSD a label; PLABA's one object is keyed by question."""
    try:
        entry = orjson.loads(first.splitlines()[0])
    except orjson.JSONDecodeError:
        return "plaba"
    if not isinstance(entry, dict):
        return "plaba"
    return "jsonl" if "kind" in entry else "msd" if "label" in entry and "text" in entry else "plaba"


def split_in(name: str) -> str:
    """The split that a file's name says, if it says one."""
    match = SPLIT.search(name.lower())
    return NAMED.get(match[1], match[1]) if match else ""

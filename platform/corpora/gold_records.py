"""Rows of gold data, as all its formats read and write them. No Django."""

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, fields
from datetime import datetime
from itertools import chain, zip_longest
from pathlib import Path
from typing import IO, Any
from zipfile import ZipFile

import orjson

from corpora.text_files.decoding import Readable, TextFile, read_lines
from corpora.text_files.json_lines import is_text
from corpora.text_files.zip_members import FAULTS, files_in, hold_to_limit
from foundation.errors import UserError, first_five

# Reading the folder layout of the GYAFC corpus, which `gyafc.py` describes.

SPLITS = ("train", "tune", "test")
MOST_FILES = 2000
STYLES = ("informal", "formal")
Files = Mapping[str, Path] | Mapping[str, Readable]


@dataclass(frozen=True)
class Item:
    """A source and its references, in order. A pair of `train` has one; its direction is not in the layout."""

    domain: str
    split: str
    source_style: str
    target_style: str
    source: str
    references: tuple[str, ...]


def read_folder(folder: Path, styles: tuple[str, str] = STYLES) -> Iterator[Item]:
    """The items of a folder of that layout; faults are `UserError`s with file and line."""
    if not folder.is_dir():
        raise UserError("there is no such folder.", where=str(folder))
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return _read({path.relative_to(folder).as_posix(): path for path in paths}, styles, None)


def read_zip(
    file: Path | IO[bytes], name: str, styles: tuple[str, str] = STYLES, *, limit: int | None = None
) -> Iterator[Item]:
    """The items of a ZIP archive of that layout; `limit` is the most bytes a file in it may have unpacked."""
    try:
        with ZipFile(file) as archive:
            members = files_in(archive, name, MOST_FILES)
            hold_to_limit(members, name)
            with ExitStack() as stack:
                yield from _read(_Members(archive, [one.filename for one in members], stack), styles, limit)
    except FAULTS:
        raise UserError("this is not a ZIP archive that can be read.", where=name) from None


class _Member:
    """A file of an archive that says its size, since seeking its end would unpack it."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self.file, self.size = file, size

    def read(self, size: int = -1, /) -> bytes:
        return self.file.read(size)


class _Members(Mapping[str, Readable]):
    """The files of an archive, each opened when it is asked for."""

    def __init__(self, archive: ZipFile, names: Iterable[str], stack: ExitStack) -> None:
        self.archive, self.names, self.stack = archive, list(names), stack

    def __getitem__(self, name: str) -> Readable:
        member = self.archive.getinfo(name)
        return _Member(self.stack.enter_context(self.archive.open(member)), member.file_size)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _read(files: Files, styles: tuple[str, str], limit: int | None) -> Iterator[Item]:
    homes = sorted({name.rpartition("/")[0] for name in files})
    homes = [home for home in homes if home.rpartition("/")[2] in SPLITS]
    if not homes:
        raise UserError(
            "there is no folder {splits} with the texts in it.", splits=", ".join(SPLITS), where="GYAFC layout"
        )
    for home in homes:
        domain, _, split = home.rpartition("/")
        if split == "train":
            yield from _pairs(files, home, domain, styles, limit)
            continue
        for source, target in (styles, styles[::-1]):
            if f"{home}/{source}" in files:
                yield from _sources(files, home, domain, split, (source, target), limit)


def _pairs(
    files: Files,
    home: str,
    domain: str,
    styles: tuple[str, str],
    limit: int | None,
) -> Iterator[Item]:
    columns = [_lines(files, f"{home}/{style}", limit) for style in styles]
    for number, (source, text) in enumerate(zip_longest(*columns), 1):
        _refuse_uneven((source, text), [f"{home}/{style}" for style in styles], number)
        yield Item(domain, "train", *styles, source, (text,))


def _sources(
    files: Files,
    home: str,
    domain: str,
    split: str,
    styles: tuple[str, str],
    limit: int | None,
) -> Iterator[Item]:
    source, target = styles
    names = [f"{home}/{source}"]
    while f"{home}/{target}.ref{len(names) - 1}" in files:
        names.append(f"{home}/{target}.ref{len(names) - 1}")
    if len(names) == 1:
        raise UserError("there is no {target}.ref0 for these sources.", target=target, where=names[0])
    for number, texts in enumerate(zip_longest(*(_lines(files, name, limit) for name in names)), 1):
        _refuse_uneven(texts, names, number)
        yield Item(domain, split, source, target, texts[0], _references(texts[1:]))


def _references(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The references of a source. One that is lacking before others stays, empty, so that the others keep theirs."""
    count = max((number for number, text in enumerate(texts, 1) if text.strip()), default=0)
    return tuple(text if text.strip() else "" for text in texts[:count])


def _lines(files: Files, name: str, limit: int | None) -> Iterator[str]:
    if name not in files:
        raise UserError("the file is missing.", where=name)
    return read_lines(TextFile(files[name], name, limit=limit))


def _refuse_uneven(texts: tuple[str | None, ...], names: list[str], number: int) -> None:
    short = [name for name, text in zip(names, texts, strict=True) if text is None]
    if short:
        raise UserError(
            "the file ends before line {number}, which {names} or a file beside it has.",
            number=number,
            names=names[0],
            where=first_five(short),
        )
    if not (texts[0] or "").strip():
        raise UserError("the line is empty.", where=f"{names[0]}, line {number}")


def concepts_of(text: str, mentions: Iterable[Any]) -> list[dict[str, Any]]:
    """Mentions (start and end in characters, `term`, `cui`) as the form has them, by their words in `text`."""
    starts = [word.start() for word in re.finditer(r"\S+", text)]
    return [
        {"range": _words(starts, mention.start, mention.end), "term": mention.term, "cui": [mention.cui]}
        for mention in mentions
    ]


def _words(starts: Sequence[int], start: int, end: int) -> list[int]:
    return [max(0, bisect_right(starts, start) - 1), max(0, bisect_right(starts, max(start, end - 1)) - 1)]


# The rows of gold data: a product that somebody made, with its provenance.
#
# `product` is the JSON object that a kind of work makes; its `kind` says which of these it is, and the forms take from
# it what they need:
#
# - rewrite: `source`, `text`, and `original` where the source itself was rewritten from it (GYAFC's way back)
# - pair: sentences of two documents that say the same (MSD): `title`, `element`, `source` and `target` (lists of
#   sentences), `source_ids`, `target_ids` (of the documents' sentences, in order)
# - two_step: a clinical sentence (MedLane): `source`, `rephrased` (segments `text`, `full`, which join to the source),
#   `simplified`, both once more `_addressed` to the patient, `unchanged` (it needs no change), `final` (it cannot be
#   simplified beyond its rephrasing). Both rephrased forms are empty where only the last one was asked for
# - adaptation: an abstract sentence by sentence (PLABA): `title`, `code` (its PMID), `question`, `sentences` (`number`,
#   `text`, `operation`: kept, rewritten, split or dropped, `targets`, empty where it was dropped, `reason`)
# - labels: the kinds of edit or error that somebody saw: `source`, `text`, `labels`
# - marks: the spans that somebody marked: `source`, `text`, `marks` (`side`, `start`, `end`, `kind`, `severity`,
#   `reason`; places count characters of the side's text)
# - screening: the decision on a question and its documents: `chosen`, `focus`, `question_kind`, `type`, `documents`
#   (yes or no by the document's id)
# - sentence: `text`, a sentence of a document that nobody worked on


@dataclass(slots=True)  # not `frozen`: that makes a row in eight times the time, and there are as many as texts
class GoldRow:
    """One row of gold, which nobody changes once it is made. Rows with one `source_id` are of one source.

    `annotators` are pseudonyms, with the author of the product last. `extra` holds data beside the product: linked
    `concepts`, and details of the file that was read, where it says more than the product.
    """

    kind: str
    source_id: str
    source_style: str
    target_style: str
    product: Mapping[str, Any]
    split: str = "test"
    domain: str = ""
    annotators: tuple[str, ...] = ()
    written_at: datetime | None = None
    guideline_version: str = ""
    revision: int = 1
    campaign: str = ""
    study: str = ""
    license: str = ""
    extra: Mapping[str, Any] = field(default_factory=dict)


PROVENANCE = tuple(one.name for one in fields(GoldRow) if one.name not in {"product", "extra"})
REQUIRED = ("kind", "source_id", "source_style", "target_style")


def of_kinds(rows: Iterable[GoldRow], kinds: frozenset[str], form: str) -> Iterator[GoldRow]:
    """The rows as they come; a UserError at one of another kind."""
    for row in rows:
        if row.kind not in kinds:
            raise UserError("{form} holds no gold of the kind '{kind}'.", form=form, kind=row.kind, where=row.source_id)
        yield row


def texts_of(product: Mapping[str, Any]) -> tuple[str, str]:
    """A source and its result, each as one text for people to read; empty where the kind has none."""
    kind = product.get("kind")
    if kind == "two_step":
        return str(product["source"]), str(product["simplified"])
    if kind == "pair":
        return " ".join(product["source"]), " ".join(product["target"])
    if kind == "adaptation":
        sentences = product["sentences"]
        targets = chain.from_iterable(sentence["targets"] for sentence in sentences)
        return " ".join(sentence["text"] for sentence in sentences), " ".join(targets)
    return str(product.get("source", "")), str(product.get("text", ""))


def row_of(provenance: Mapping[str, Any], product: Mapping[str, Any], extra: Mapping[str, Any], where: str) -> GoldRow:
    """A row from the values of a file, checked; faults are UserErrors."""
    for name in REQUIRED:
        if not isinstance(provenance.get(name), str):
            raise UserError("a text was expected for '{name}'.", name=name, where=where)
    values = {name: value_of(name, value, where) for name, value in provenance.items()}
    if values.get("split", "test") not in SPLITS:
        raise UserError("a split is train, tune or test, and not '{split}'.", split=values["split"], where=where)
    return GoldRow(product=product, extra=extra, **values)


def value_of(name: str, value: object, where: str) -> Any:
    """A value of provenance as a row holds it; a UserError where it is of another kind."""
    if name == "revision":
        if not isinstance(value, int) or isinstance(value, bool):
            raise UserError("a whole number was expected for 'revision'.", where=where)
        return value
    if name == "written_at":
        return _time(value, where)
    if name == "annotators":
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
            raise UserError("a list of names was expected for 'annotators'.", where=where)
        return tuple(value)
    if value is None or not is_text(value):
        raise UserError("a text was expected for '{name}'.", name=name, where=where)
    return value


def _time(value: object, where: str) -> datetime | None:
    if value is None or isinstance(value, datetime):
        return value
    try:
        return datetime.fromisoformat(str(value))
    except ValueError:
        raise UserError(
            "a time such as 2026-01-31T12:00:00+00:00 was expected, not '{value}'.", value=value, where=where
        ) from None


def one_line(text: str) -> str:
    """The text with every line break a space."""
    return re.sub(r"\r\n|\r|\n", " ", text)


def json_of(value: Mapping[str, Any]) -> str:
    return orjson.dumps(value).decode()


def object_of(text: str, where: str) -> dict[str, Any]:
    """A JSON object from a cell."""
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        value = None
    if not isinstance(value, dict):
        raise UserError("a JSON object was expected in 'product' and 'extra'.", where=where)
    return value


# Rows of gold as JSON objects, with nothing left out.


def entry_of(row: GoldRow) -> dict[str, Any]:
    """The row as one JSON object; `orjson` writes its time as ISO 8601."""
    entry: dict[str, Any] = {
        "kind": row.kind,
        "source_id": row.source_id,
        "source_style": row.source_style,
        "target_style": row.target_style,
        "split": row.split,
        "domain": row.domain,
        "annotators": row.annotators,
        "written_at": row.written_at,
        "guideline_version": row.guideline_version,
        "revision": row.revision,
        "campaign": row.campaign,
        "study": row.study,
        "license": row.license,
    }
    entry.update(row.product)
    entry["kind"] = row.kind
    if row.extra:
        entry["extra"] = row.extra
    return entry


def row_from(entry: dict[str, Any], where: str = "") -> GoldRow:
    """The way back from `entry_of`."""
    provenance = {name: entry[name] for name in PROVENANCE if name in entry}
    product = {"kind": entry.get("kind")}
    product.update((key, value) for key, value in entry.items() if key not in PROVENANCE and key != "extra")
    return row_of(provenance, product, entry.get("extra", {}), where)


def row_again(entry: dict[str, Any]) -> GoldRow:
    """As `row_from`, for an `entry` that this program just wrote itself: nothing is checked. It takes `entry` apart."""
    extra, kind = entry.pop("extra", {}), entry["kind"]
    given = {name: entry.pop(name) for name in PROVENANCE}
    given["annotators"] = tuple(given["annotators"])
    if given["written_at"]:
        given["written_at"] = datetime.fromisoformat(given["written_at"])
    return GoldRow(product={"kind": kind, **entry}, extra=extra, **given)


# Terms with their full forms in square brackets, as MedLane writes them.

BRACKETS = re.compile(r"(?<![^\s\[\]])([^\s\[\]]*+)\[([^\[\]]++)\]")  # begins where a word does: linear in time


Segments = list[dict[str, str]]


def bracketed(segments: Iterable[Mapping[str, str]]) -> str:
    """Segments as one line, the full form of each abbreviation in brackets behind it."""
    parts = (part["text"] + (f"[{part['full']}]" if part["full"] else "") for part in segments)
    return one_line("".join(parts))


def segments(text: str) -> Segments:
    """The way back: the word right before a bracket is the abbreviation; none is there where the full form is alone."""
    found: Segments = []
    place = 0
    for match in BRACKETS.finditer(text):
        if match.start() > place:
            found.append({"text": text[place : match.start()], "full": ""})
        found.append({"text": match[1], "full": match[2]})
        place = match.end()
    if place < len(text):
        found.append({"text": text[place:], "full": ""})
    return found

"""The dataset snapshot of a training: files of lines in one folder, read from disk as they are needed, with one digest.

    data.json                     styles, how many references the tune set has, the language where the study names it
    train.source  train.target    a line a pair; a source with several references stands once with each
    tune.source   tune.reference.0 ...     a line a source; an empty line is a reference that is not there
    train.marked  tune.marked.0 ...        targets and references with the full forms of terms in square brackets, as
                                           people wrote them; there where a set has such marks (`marked` in data.json)
    text.0 text.1 ...  tune-text.0 ...     the texts of each style (by its place in `styles`), parallel or not
    preference.source .better .worse .margin   a line a pair of rewrites of which people preferred one; with
    tune-preference.source ...                 `preferences` in data.json, where a model learns from them
    dictionary.tsv                abbreviation TAB full form | full form ...
    start.zip                     the checkpoint that the training starts from, if it does not start afresh

It takes only 8 bytes a line in memory.
"""

import hashlib
import json
import mmap
import shutil
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate, chain
from pathlib import Path

import numpy as np

from foundation.errors import UserError
from modelserving.training.tokenized_dataset import Places

FILE, START = "data.json", "start.zip"


class Lines(Places[str]):
    """The lines of a UTF-8 file, each read when it is asked for."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._bytes: mmap.mmap | bytes = b""
        if path.stat().st_size:
            with path.open("rb") as file:
                self._bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self._ends = _ends(path)

    def __len__(self) -> int:
        return len(self._ends)

    def _at(self, place: int) -> str:
        start = int(self._ends[place - 1]) + 1 if place else 0
        return self._bytes[start : int(self._ends[place])].decode()

    def __iter__(self) -> Iterator[str]:
        with self.path.open(encoding="utf-8", newline="\n") as file:
            for line in file:
                yield line.removesuffix("\n")


def _ends(path: Path) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    """The places of the line feeds."""
    found, before = [np.zeros(0, dtype=np.int64)], 0
    with path.open("rb") as file:
        while part := file.read(1 << 24):
            found.append(np.flatnonzero(np.frombuffer(part, dtype=np.uint8) == ord("\n")) + before)
            before += len(part)
    return np.concatenate(found)


@dataclass(frozen=True)
class Pairs:
    """Sources and, line for line, a rewrite of each.

    `marked` are the rewrites with the full forms of terms in square brackets, as MedLane's annotators wrote them
    (`corpora.knowledge.brackets`): the targets themselves where nobody marked any.
    """

    sources: Sequence[str] = ()
    targets: Sequence[str] = ()
    marked: Sequence[str] = ()

    def __post_init__(self) -> None:
        if not len(self.marked):
            object.__setattr__(self, "marked", self.targets)

    def __len__(self) -> int:
        return len(self.sources)

    def with_copies(self, times: int) -> "Pairs":
        """These, and each target as a pair of itself, so many times (Currey et al. 2017)."""
        if not times:
            return self
        copies = [self.targets] * times
        return Pairs(Chained([self.sources, *copies]), Chained([self.targets, *copies]))


class Chained(Places[str]):
    """Sequences one after the other, each read where it is."""

    def __init__(self, parts: Sequence[Sequence[str]]) -> None:
        self._parts = parts
        self._ends = list(accumulate(map(len, parts)))

    def __len__(self) -> int:
        return self._ends[-1]

    def _at(self, place: int) -> str:
        part = bisect_right(self._ends, place)
        return self._parts[part][place - (self._ends[part - 1] if part else 0)]

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(self._parts)


@dataclass(frozen=True)
class DevSet:
    """The set by which a training is stopped: sources, and sets of references, line for line; "" where there is none.

    `marked` are the sets with full forms in square brackets, as in `Pairs`; the references where nobody marked any.
    """

    sources: Sequence[str] = ()
    references: Sequence[Sequence[str]] = ()
    marked: Sequence[Sequence[str]] = ()

    def __post_init__(self) -> None:
        if not len(self.marked):
            object.__setattr__(self, "marked", self.references)

    def __len__(self) -> int:
        return len(self.sources)

    @cached_property
    def of_each(self) -> list[list[str]]:
        """The references that each source has."""
        return [[text for text in row if text] for row in zip(*self.references, strict=True)]


@dataclass(frozen=True)
class Preferences:
    """Sources and, line for line, two rewrites of each, of which people preferred the first.

    `margins` are in (0, 1]: votes for it less votes against it, over all votes.
    """

    sources: Sequence[str] = ()
    better: Sequence[str] = ()
    worse: Sequence[str] = ()
    margins: Sequence[float] = ()

    def __len__(self) -> int:
        return len(self.sources)

    def files(self, name: str) -> Iterator[tuple[str, Iterable[str]]]:
        """Their files, by name, with the lines of each."""
        columns = self.sources, self.better, self.worse, map(repr, self.margins)
        yield from ((f"{name}.{part}", lines) for part, lines in zip(PARTS, columns, strict=True))


PARTS = ("source", "better", "worse", "margin")
PREFERENCE, TUNE_PREFERENCE = "preference", "tune-preference"


def _preferences(folder: Path, name: str) -> Preferences:
    sources, better, worse, margins = (Lines(folder / f"{name}.{part}") for part in PARTS)
    return Preferences(sources, better, worse, [float(margin) for margin in margins])


@dataclass(frozen=True)
class TrainingData:
    """All data that a model may be trained on. Splits stand apart: it never holds any of a test set.

    `preferences` and `dev_preferences` are pairs of rewrites that people judged, for a model that learns from them.
    `texts` and `dev_texts` are by style; the dictionary's full forms stand with the most usual one first. `start` is
    the file of the checkpoint that the training starts from, if any. `language` is that of the texts, for metrics.
    """

    source_style: str
    target_style: str
    train: Pairs = field(default_factory=Pairs)
    dev: DevSet = field(default_factory=DevSet)
    texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dev_texts: Mapping[str, Sequence[str]] = field(default_factory=dict)
    dictionary: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    digest: str = ""
    start: Path | None = None
    language: str = ""
    preferences: Preferences = field(default_factory=Preferences)
    dev_preferences: Preferences = field(default_factory=Preferences)

    @property
    def direction(self) -> tuple[str, str]:
        return self.source_style, self.target_style

    @property
    def styles(self) -> tuple[str, ...]:
        return tuple(self.texts)

    def judged_pairs(self) -> list[tuple[str, str, str, float]]:
        """All pairs of rewrites that people judged: source, better, worse, margin. A reward model holds out by itself
        what it is not to see."""
        both = (self.preferences, self.dev_preferences)
        return [pair for some in both for pair in zip(some.sources, some.better, some.worse, some.margins, strict=True)]

    @property
    def has_marks(self) -> bool:
        """Whether targets or references are kept with their marks, too."""
        return self.train.marked is not self.train.targets or self.dev.marked is not self.dev.references

    def write(self, folder: Path) -> "TrainingData":
        """Write the data as files into the folder, and read it from there."""
        folder.mkdir(parents=True, exist_ok=True)
        for name, lines in self._files():
            write_lines(folder / name, lines)
        if self.start:
            shutil.copyfile(self.start, folder / START)
        about = {
            "source_style": self.source_style,
            "target_style": self.target_style,
            "styles": list(self.texts),
            "references": len(self.dev.references),
            **({"marked": True} if self.has_marks else {}),
            **({"language": self.language} if self.language else {}),
            **({"preferences": True} if len(self.preferences) else {}),
        }
        (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
        return read_dataset(folder)

    def _files(self) -> Iterator[tuple[str, Iterable[str]]]:
        yield from (("train.source", self.train.sources), ("train.target", self.train.targets))
        yield "tune.source", self.dev.sources
        yield from ((f"tune.reference.{i}", lines) for i, lines in enumerate(self.dev.references))
        if self.has_marks:
            yield "train.marked", self.train.marked
            yield from ((f"tune.marked.{i}", lines) for i, lines in enumerate(self.dev.marked))
        for i, style in enumerate(self.texts):
            yield f"text.{i}", self.texts[style]
            yield f"tune-text.{i}", self.dev_texts.get(style, ())
        if len(self.preferences):
            yield from self.preferences.files(PREFERENCE)
            yield from self.dev_preferences.files(TUNE_PREFERENCE)
        yield "dictionary.tsv", (f"{short}\t{' | '.join(full)}" for short, full in self.dictionary.items())


def write_lines(path: Path, lines: Iterable[str]) -> None:
    """Write a line for each text; line breaks within one become spaces."""
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(" ".join(line.splitlines()) + "\n" for line in lines)


def read_dataset(folder: Path) -> TrainingData:
    """The data of a folder; a UserError where it holds none, or a file is missing or of another length."""
    try:
        about = json.loads((folder / FILE).read_text(encoding="utf-8"))
        styles = about["styles"]
        data = TrainingData(
            source_style=about["source_style"],
            target_style=about["target_style"],
            train=Pairs(
                Lines(folder / "train.source"),
                Lines(folder / "train.target"),
                Lines(folder / "train.marked") if about.get("marked") else (),
            ),
            dev=DevSet(
                Lines(folder / "tune.source"),
                [Lines(folder / f"tune.reference.{i}") for i in range(about["references"])],
                [Lines(folder / f"tune.marked.{i}") for i in range(about["references"] if about.get("marked") else 0)],
            ),
            texts={style: Lines(folder / f"text.{i}") for i, style in enumerate(styles)},
            dev_texts={style: Lines(folder / f"tune-text.{i}") for i, style in enumerate(styles)},
            dictionary=_dictionary(folder / "dictionary.tsv"),
            digest=digest(folder),
            start=folder / START if (folder / START).exists() else None,
            language=about.get("language", ""),
            preferences=_preferences(folder, PREFERENCE) if about.get("preferences") else Preferences(),
            dev_preferences=_preferences(folder, TUNE_PREFERENCE) if about.get("preferences") else Preferences(),
        )
    except (OSError, KeyError, TypeError, ValueError) as error:
        raise UserError(
            "The folder holds no training data that can be read ({error}).", error=error, where=folder.name
        ) from None
    _check(data)
    return data


def digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the folder's files, in the order of their names."""
    whole = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            with path.open("rb") as file:
                inner = hashlib.file_digest(file, "sha256").hexdigest()
            whole.update(f"{path.name} {inner}\n".encode())
    return whole.hexdigest()


def _dictionary(path: Path) -> dict[str, tuple[str, ...]]:
    entries = (line.split("\t") for line in Lines(path))
    return {short: tuple(full.split(" | ")) for short, full in entries}


def _check(data: TrainingData) -> None:
    for name, lines in (("train.target", data.train.targets), ("train.marked", data.train.marked)):
        if len(data.train.sources) != len(lines):
            raise UserError("The numbers of targets and sources must be equal.", where=name)
    for name, pairs in ((PREFERENCE, data.preferences), (TUNE_PREFERENCE, data.dev_preferences)):
        if not len(pairs) == len(pairs.better) == len(pairs.worse) == len(pairs.margins):
            raise UserError("There are as many rewrites and margins as sources.", where=name)
    for name, sets in (("tune.reference", data.dev.references), ("tune.marked", data.dev.marked)):
        for number, lines in enumerate(sets):
            if len(lines) != len(data.dev.sources):
                raise UserError("Each source needs one line.", where=f"{name}.{number}")

"""The data of a training, taken from the study as files (`training/dataset.py`): train and tune, never test.

A line is a unit of the study: a sentence, or all sentences of a document in their order.

Rows are streamed from one snapshot of the database, so a million pairs need no more memory than ten.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TextIO

from django.db import connection, transaction

from corpora.knowledge import abbreviations
from corpora.models import Direction, ReferenceSet, Sentence, Study
from corpora.splits import HeldOut
from corpora.texts.streamed_units import UnitTexts, stream_units
from modelserving.training.dataset import FILE, TrainingData, read_dataset, write_lines
from modelserving.training_runs.preferences import UsablePairs, write_preferences

# The training data of a study: its units (sentences, or documents) that are not held out, streamed.


class Pair(NamedTuple):
    """A source with one of its references, by the keys of the unit and of the set; `marked`: the reference as written.

    `sentences` are those of both, if they are documents.
    """

    unit: int
    source: str
    set: int
    target: str
    marked: str
    sentences: Sequence[str] = ()


class StyledText(NamedTuple):
    """A text in a style, and its sentences, if it is a document."""

    text: str
    sentences: Sequence[str] = ()


class UsableTexts:
    """The pairs and texts of a study that are not held out; `left` counts the held-out texts by their places."""

    def __init__(self, study: Study, left: Counter[str]) -> None:
        self.study, self.held_out, self.left = study, HeldOut(study), left
        self.directions = list(study.directions.order_by("number"))
        self.whole = study.unit == Study.Unit.DOCUMENT

    def pairs(self, direction: Direction, split: str) -> Iterator[Pair]:
        """The pairs of a split's sources with their rewrites, in the order of the sources and of the sets."""
        units = stream_units(self.study, [direction], split)
        made = (pair for unit in units for pair in self._pairs(unit))
        parts = _sentences if self.whole else None
        return self.held_out.free(split, made, lambda pair: [pair.source, pair.target], parts=parts)

    def _pairs(self, unit: UnitTexts) -> Iterator[Pair]:
        for key, written in unit.references.items():
            sentences = [*unit.sentences, *written.sentences] if self.whole else ()
            yield Pair(unit.id, unit.source, key, written.text, written.marked, sentences)

    def texts(self, style: str, split: str) -> Iterator[str]:
        """The texts in a style: the sources of directions from it, then the rewrites of directions to it.

        Held-out texts are counted here, since each text stands among these.
        """
        parts = _sentences if self.whole else None
        free = self.held_out.free(split, self._texts(style, split), lambda one: [one.text], self.left, parts)
        return (one.text for one in free)

    def _texts(self, style: str, split: str) -> Iterable[StyledText]:
        start = [one for one in self.directions if one.source_style == style]
        for unit in stream_units(self.study, start, split, references=False):
            yield StyledText(unit.source, unit.sentences if self.whole else ())
        end = [one for one in self.directions if one.target_style == style]
        for unit in stream_units(self.study, end, split):
            for written in unit.references.values():
                yield StyledText(written.text, written.sentences if self.whole else ())


def _sentences(one: Pair | StyledText) -> Sequence[str]:
    return one.sentences


TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE


def take_snapshot(
    study: Study,
    styles: tuple[str, str],
    direction: Direction | None,
    folder: Path,
    left: Counter[str] | None = None,
    judged: UsablePairs | None = None,
) -> TrainingData:
    """Write the data, with judged pairs if any are given, into the folder, and read it from there.

    Pairs are those of the direction; texts are all in the two styles, of any direction of the study. Held-out texts
    (`corpora.splits`) are left out; `left` counts them by their places.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with transaction.atomic():
        _one_snapshot()
        usable = UsableTexts(study, Counter() if left is None else left)
        marked = _has_marks(direction)
        _write_pairs(direction, folder, usable, marked)
        sets = _write_tune(direction, folder, usable, marked)
        for number, style in enumerate(styles):
            write_lines(folder / f"text.{number}", usable.texts(style, TRAIN))
            write_lines(folder / f"tune-text.{number}", usable.texts(style, TUNE))
    forms = abbreviations.load().forms
    write_lines(folder / "dictionary.tsv", (f"{short}\t{' | '.join(full)}" for short, full in forms.items()))
    about = {"source_style": styles[0], "target_style": styles[1], "styles": list(styles), "references": sets}
    if marked:
        about["marked"] = True
    if study.language:
        about["language"] = study.language
    if judged:
        about["preferences"] = True
        write_preferences(judged, folder)
    (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
    return read_dataset(folder)


def _one_snapshot() -> None:
    """Read the study as it is now, whatever others write meanwhile."""
    if len(connection.savepoint_ids) == 0 and connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _has_marks(direction: Direction | None) -> bool:
    """Whether people marked full forms in references of the direction."""
    return ReferenceSet.objects.filter(direction=direction, marks=ReferenceSet.Marks.BRACKETS).exists()


def _write_pairs(direction: Direction | None, folder: Path, usable: UsableTexts, marked: bool) -> None:
    names = ["train.source", "train.target", *(["train.marked"] if marked else [])]
    with _files(folder, names) as files:
        for pair in usable.pairs(direction, TRAIN) if direction else ():
            for file, text in zip(files, (pair.source, pair.target, pair.marked), strict=False):
                _write(file, text)


def _write_tune(direction: Direction | None, folder: Path, usable: UsableTexts, marked: bool) -> int:
    """Write the tune sources that have a reference, and a file of references for each set; the number of sets."""
    found = ReferenceSet.objects.filter(direction=direction, references__sentence__split=TUNE)
    places = {pk: place for place, pk in enumerate(found.order_by("number").values_list("pk", flat=True).distinct())}
    kinds = ["tune.reference", *(["tune.marked"] if marked else [])]
    names = ["tune.source", *(f"{kind}.{place}" for place in range(len(places)) for kind in kinds)]
    with _files(folder, names) as (sources, *references):
        for source, of_one in _tune_rows(direction, usable):
            _write(sources, source)
            for pk, place in places.items():
                texts = of_one.get(pk, ("", ""))
                for file, text in zip(references[place * len(kinds) :][: len(kinds)], texts, strict=False):
                    _write(file, text)
    return len(places)


def _tune_rows(direction: Direction | None, usable: UsableTexts) -> Iterator[tuple[str, dict[int, tuple[str, str]]]]:
    """Each tune source that has a reference, with its references by set, plain and marked."""
    if direction is None:
        return
    for _, group in groupby(usable.pairs(direction, TUNE), key=lambda pair: pair.unit):
        of_one = list(group)
        yield of_one[0].source, {pair.set: (pair.target, pair.marked) for pair in of_one}


@contextmanager
def _files(folder: Path, names: Iterable[str]) -> Iterator[list[TextIO]]:
    """The files, open for writing, closed together."""
    with ExitStack() as stack:
        yield [stack.enter_context((folder / name).open("w", encoding="utf-8", newline="\n")) for name in names]


def _write(file: TextIO, text: str) -> None:
    file.write(" ".join(text.splitlines()) + "\n")

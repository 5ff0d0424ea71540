"""What a training is trained on, taken from the study as files (`training/data.py`): train and tune splits, never test.

Rows are streamed from one snapshot of the database, so a million pairs need no more memory than ten.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import NamedTuple, TextIO

from django.db import connection, transaction

from corpora.knowledge import abbreviations
from corpora.models import Direction, Reference, ReferenceSet, Sentence, Study
from corpora.splits.held_out import HeldOut
from corpora.texts.columns import plain
from modelserving.training.dataset import FILE, TrainingData, read_dataset, write_lines

CHUNK = 5000  # rows that are in memory at once
TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE


class Pair(NamedTuple):
    """A source with one of its references, by the keys of the sentence and of the set."""

    sentence: int
    source: str
    set: int
    target: str


def take_snapshot(
    study: Study,
    styles: tuple[str, str],
    direction: Direction | None,
    folder: Path,
    left: Counter[str] | None = None,
) -> TrainingData:
    """Write the data into the folder, and read it from there.

    Pairs are those of the direction; texts are what is written in the two styles, in any direction of the study. What
    is held out (`corpora.splits.held_out`) is left out; `left` counts it by where it stands.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with transaction.atomic():
        _one_snapshot()
        taken = _UsableRows(study, Counter() if left is None else left)
        _write_pairs(direction, folder, taken)
        sets = _write_tune(direction, folder, taken)
        for number, style in enumerate(styles):
            write_lines(folder / f"text.{number}", texts_in(study, style, TRAIN, taken))
            write_lines(folder / f"tune-text.{number}", texts_in(study, style, TUNE, taken))
    forms = abbreviations.load().forms
    write_lines(folder / "dictionary.tsv", (f"{short}\t{' | '.join(full)}" for short, full in forms.items()))
    about = {"source_style": styles[0], "target_style": styles[1], "styles": list(styles), "references": sets}
    (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
    return read_dataset(folder)


class _UsableRows:
    """The rows of a study that are not held out."""

    def __init__(self, study: Study, left: Counter[str]) -> None:
        self.held_out, self.left = HeldOut(study), left

    def pairs(self, direction: Direction, split: str) -> Iterator[Pair]:
        """The rewrites of a split's sources that there are, in the order of the sources."""
        rows = Reference.objects.filter(set__direction=direction, sentence__split=split).exclude(text="")
        fields = "sentence_id", "sentence__text", "set_id", "text", "set__marks"
        ordered = rows.order_by("sentence__number", "set__number").values_list(*fields)
        made = (Pair(*row[:3], plain(*row[3:])) for row in ordered.iterator(chunk_size=CHUNK))
        return self.held_out.free(split, made, lambda pair: [pair.source, pair.target])

    def texts(self, split: str, rows: Iterable[str]) -> Iterator[str]:
        """The texts that are not held out; here they are counted, since each stands in one of these files."""
        return self.held_out.free(split, rows, lambda text: [text], self.left)


def texts_in(study: Study, style: str, split: str, taken: _UsableRows) -> Iterator[str]:
    """What is written in a style: the sources of directions from it, then the rewrites of directions to it."""
    sources = Sentence.objects.filter(direction__study=study, direction__source_style=style, split=split)
    ordered = sources.order_by("direction__number", "number").values_list("text", flat=True)
    yield from taken.texts(split, ordered.iterator(chunk_size=CHUNK))
    written = Reference.objects.filter(
        set__direction__study=study, set__direction__target_style=style, sentence__split=split
    ).exclude(text="")
    rows = written.order_by("set__direction__number", "sentence__number", "set__number")
    listed = rows.values_list("text", "set__marks").iterator(chunk_size=CHUNK)
    yield from taken.texts(split, (plain(text, marks) for text, marks in listed))


def _one_snapshot() -> None:
    """See the study as it is now, whatever others write meanwhile."""
    if len(connection.savepoint_ids) == 0 and connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _write_pairs(direction: Direction | None, folder: Path, taken: _UsableRows) -> None:
    with _files(folder, ["train.source", "train.target"]) as (sources, targets):
        for pair in taken.pairs(direction, TRAIN) if direction else ():
            _write(sources, pair.source)
            _write(targets, pair.target)


def _write_tune(direction: Direction | None, folder: Path, taken: _UsableRows) -> int:
    """Write the tune sources that have a reference, and a file of references a set; the number of sets."""
    found = ReferenceSet.objects.filter(direction=direction, references__sentence__split=TUNE)
    places = {pk: place for place, pk in enumerate(found.order_by("number").values_list("pk", flat=True).distinct())}
    names = ["tune.source", *(f"tune.reference.{place}" for place in range(len(places)))]
    with _files(folder, names) as (sources, *references):
        for source, texts in _tune_rows(direction, taken):
            _write(sources, source)
            for pk, place in places.items():
                _write(references[place], texts.get(pk, ""))
    return len(places)


def _tune_rows(direction: Direction | None, taken: _UsableRows) -> Iterator[tuple[str, dict[int, str]]]:
    """Each tune source that has a reference, with its references by set."""
    if direction is None:
        return
    for _, group in groupby(taken.pairs(direction, TUNE), key=lambda pair: pair.sentence):
        of_one = list(group)
        yield of_one[0].source, {pair.set: pair.target for pair in of_one}


@contextmanager
def _files(folder: Path, names: Iterable[str]) -> Iterator[list[TextIO]]:
    """The files, open for writing, closed together."""
    with ExitStack() as stack:
        yield [stack.enter_context((folder / name).open("w", encoding="utf-8", newline="\n")) for name in names]


def _write(file: TextIO, text: str) -> None:
    file.write(" ".join(text.splitlines()) + "\n")

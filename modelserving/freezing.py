"""What a training is trained on, taken from the study as files (`training/data.py`): train and tune splits, never test.

Rows are streamed from one snapshot of the database, so a million pairs need no more memory than ten.
"""

import json
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import TextIO, TypeVar

from django.db import connection, models, transaction
from django.db.models import Exists, OuterRef, QuerySet

from corpora.knowledge import abbreviations
from corpora.knowledge.brackets import bracketed
from corpora.models import Direction, Reference, ReferenceSet, Sentence, Study
from modelserving.training.data import FILE, Data, read, write_lines

CHUNK = 5000  # rows that are in memory at once
Row = TypeVar("Row", bound=models.Model)
TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE


def freeze(study: Study, styles: tuple[str, str], direction: Direction | None, folder: Path) -> Data:
    """Write the data into the folder, and read it from there.

    Pairs are those of the direction; texts are what is written in the two styles, in any direction of the study. What
    stands word for word in the test split too is left out.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with transaction.atomic():
        _one_snapshot()
        _write_pairs(direction, folder)
        sets = _write_tune(direction, folder)
        for number, style in enumerate(styles):
            write_lines(folder / f"text.{number}", texts_in(study, style, TRAIN))
            write_lines(folder / f"tune-text.{number}", texts_in(study, style, TUNE))
    forms = abbreviations.load().forms
    write_lines(folder / "dictionary.tsv", (f"{short}\t{' | '.join(full)}" for short, full in forms.items()))
    about = {"source_style": styles[0], "target_style": styles[1], "styles": list(styles), "references": sets}
    (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
    return read(folder)


def pairs_in(direction: Direction, split: str) -> QuerySet[Reference]:
    """The rewrites of a split's sources that there are, in the order of the sources."""
    rows = Reference.objects.filter(set__direction=direction, sentence__split=split).exclude(text="")
    kept = _untested(direction.study, _untested(direction.study, rows, "text"), "sentence__text")
    return kept.order_by("sentence__number", "set__number")


def texts_in(study: Study, style: str, split: str) -> Iterator[str]:
    """What is written in a style: the sources of directions from it, then the rewrites of directions to it."""
    sources = Sentence.objects.filter(direction__study=study, direction__source_style=style, split=split)
    ordered = _untested(study, sources, "text").order_by("direction__number", "number")
    yield from ordered.values_list("text", flat=True).iterator(chunk_size=CHUNK)
    written = Reference.objects.filter(
        set__direction__study=study, set__direction__target_style=style, sentence__split=split
    ).exclude(text="")
    rows = _untested(study, written, "text").order_by("set__direction__number", "sentence__number", "set__number")
    for text, marks in rows.values_list("text", "set__marks").iterator(chunk_size=CHUNK):
        yield _plain(text, marks)


def _untested(study: Study, rows: QuerySet[Row], field: str) -> QuerySet[Row]:
    """The rows whose text does not stand in the test split as well, as a source or a rewrite of any direction.

    Two directions over the same texts are split apart from each other, and one sentence may stand twice.
    """
    same = {"text": OuterRef(field)}
    sources = Sentence.objects.filter(direction__study=study, split=Sentence.Split.TEST, **same)
    written = Reference.objects.filter(set__direction__study=study, sentence__split=Sentence.Split.TEST, **same)
    return rows.filter(~Exists(sources), ~Exists(written))


def _one_snapshot() -> None:
    """See the study as it is now, whatever others write meanwhile."""
    if len(connection.savepoint_ids) == 0 and connection.in_atomic_block:
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")


def _write_pairs(direction: Direction | None, folder: Path) -> None:
    with _files(folder, ["train.source", "train.target"]) as (sources, targets):
        if direction:
            rows = pairs_in(direction, TRAIN).values_list("sentence__text", "text", "set__marks")
            for source, target, marks in rows.iterator(chunk_size=CHUNK):
                _write(sources, source)
                _write(targets, _plain(target, marks))


def _write_tune(direction: Direction | None, folder: Path) -> int:
    """Write the tune sources that have a reference, and a file of references a set; the number of sets."""
    found = ReferenceSet.objects.filter(direction=direction, references__sentence__split=TUNE)
    places = {pk: place for place, pk in enumerate(found.order_by("number").values_list("pk", flat=True).distinct())}
    names = ["tune.source", *(f"tune.reference.{place}" for place in range(len(places)))]
    with _files(folder, names) as (sources, *references):
        for source, texts in _tune_rows(direction):
            _write(sources, source)
            for pk, place in places.items():
                _write(references[place], texts.get(pk, ""))
    return len(places)


def _tune_rows(direction: Direction | None) -> Iterator[tuple[str, dict[int, str]]]:
    """Each tune source that has a reference, with its references by set."""
    if direction is None:
        return
    fields = "sentence_id", "sentence__text", "set_id", "text", "set__marks"
    values = pairs_in(direction, TUNE).values_list(*fields)
    for _, group in groupby(values.iterator(chunk_size=CHUNK), key=lambda row: row[0]):
        of_one = list(group)
        yield of_one[0][1], {row[2]: _plain(row[3], row[4]) for row in of_one}


@contextmanager
def _files(folder: Path, names: Iterable[str]) -> Iterator[list[TextIO]]:
    """The files, open for writing, closed together."""
    with ExitStack() as stack:
        yield [stack.enter_context((folder / name).open("w", encoding="utf-8", newline="\n")) for name in names]


def _write(file: TextIO, text: str) -> None:
    file.write(" ".join(text.splitlines()) + "\n")


def _plain(text: str, marks: str) -> str:
    """As metrics and people read it: full forms in brackets take the place of their abbreviations."""
    return bracketed(text)[0] if marks == ReferenceSet.Marks.BRACKETS else text

"""What a training is trained on, taken from the study as files (`training/dataset.py`): train and tune, never test.

A line is a unit of the study: a sentence, or all sentences of a document in their order.

Rows are streamed from one snapshot of the database, so a million pairs need no more memory than ten.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import groupby
from pathlib import Path
from typing import TextIO

from django.db import connection, transaction

from corpora.knowledge import abbreviations
from corpora.models import Direction, ReferenceSet, Sentence, Study
from modelserving.training.dataset import FILE, TrainingData, read_dataset, write_lines
from modelserving.training_runs.usable_texts import UsableTexts

TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE


def take_snapshot(
    study: Study,
    styles: tuple[str, str],
    direction: Direction | None,
    folder: Path,
    left: Counter[str] | None = None,
) -> TrainingData:
    """Write the data into the folder, and read it from there.

    Pairs are those of the direction; texts are what is written in the two styles, in any direction of the study. What
    is held out (`corpora.splits`) is left out; `left` counts it by where it stands.
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
    (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
    return read_dataset(folder)


def _one_snapshot() -> None:
    """See the study as it is now, whatever others write meanwhile."""
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
    """Write the tune sources that have a reference, and a file of references a set; the number of sets."""
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

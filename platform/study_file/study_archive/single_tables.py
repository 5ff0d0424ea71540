"""A part of a study as one table, which the import of tables takes without a question where its sources are not there.

The columns are those that `corpora.text_import` and the tool format `restyle` of judgements know by their names.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby

from annotation.models import Criterion
from corpora.formats import csv_cells
from corpora.models import Output, Reference, Sentence, Study
from corpora.text_import.own_tables import OUTPUT_COLUMNS, PLACE, SOURCE_COLUMNS, reference_column
from evaluation.imported_judgements.tool_formats.restyle import TABLE as JUDGED
from foundation.errors import UserError
from foundation.text_keys import text_key
from study_file.study_archive.judged_values import judged_values

Rows = Iterator[Sequence[object]]
AT_ONCE = 5000


def _sentences(study: Study) -> Iterator[tuple[int, str, int, str, str, str]]:
    rows = Sentence.objects.filter(direction__study=study).select_related("direction")
    for row in rows.order_by("direction__number", "number").iterator(AT_ONCE):
        yield row.pk, row.direction.name, row.number, row.text, row.split, row.domain


def _sources(study: Study) -> Rows:
    yield SOURCE_COLUMNS
    for _, *cells in _sentences(study):
        yield cells


def _references(study: Study) -> Rows:
    """A column for each set; sets of several directions that have the same number are one."""
    rows = Reference.objects.filter(set__direction__study=study)
    numbers = sorted(set(rows.values_list("set__number", flat=True)))
    yield *PLACE, *map(reference_column, numbers)
    listed = rows.order_by("sentence__direction__number", "sentence__number").values_list(
        "sentence", "set__number", "text"
    )
    waiting = groupby(listed.iterator(AT_ONCE), key=lambda row: row[0])
    sentence, own = next(waiting, (None, iter(())))
    for pk, direction, number, source, *_ in _sentences(study):
        if pk == sentence:
            texts = {of: text for _, of, text in own}
            yield direction, number, source, *(texts.get(one, "") for one in numbers)
            sentence, own = next(waiting, (None, iter(())))


def _outputs(study: Study) -> Rows:
    """A row for each source and system, so that an empty output is another thing than none."""
    yield OUTPUT_COLUMNS
    rows = Output.objects.filter(system__study=study).order_by(
        "sentence__direction__number", "sentence__number", "system__number"
    )
    fields = ("sentence__number", "sentence__text", "system__name", "text")
    directions = {one.pk: one.name for one in study.directions.all()}
    for direction, *cells in rows.values_list("sentence__direction", *fields).iterator(AT_ONCE):
        yield directions[direction], *cells


def _judgements(study: Study) -> Rows:
    """All that count; orders of texts have no scale and stay out."""
    yield JUDGED
    scales = {one.name: one.scale for one in Criterion.objects.filter(study=study)}
    sources, first, by_text = dict[int, tuple[str, int, str]](), dict[int, int](), dict[tuple[str, str], int]()
    for pk, direction, number, text, *_ in _sentences(study):
        sources[pk] = direction, number, text
        if study.unit == Study.Unit.SENTENCE:
            first[pk] = by_text.setdefault((direction, text_key(text)), pk)
    for one in judged_values(study, first):
        if one.criterion in scales and one.sentence in sources:
            yield (one.rater, *sources[one.sentence], one.text, one.system, one.criterion, one.number,
                   scales[one.criterion], one.spent)  # fmt: skip


def _raters(study: Study) -> Rows:
    """What is known of the raters, a column a trait."""
    rows = list(study.rater_traits.values_list("worker", "traits"))
    names = list(dict.fromkeys(name for _, traits in rows for name in traits))
    yield "rater", *names
    for worker, traits in rows:
        yield worker, *(traits.get(name, "") for name in names)


TABLES: Mapping[str, Callable[[Study], Rows]] = {
    "sources": _sources, "references": _references, "outputs": _outputs, "judgements": _judgements,
    "raters": _raters,
}  # fmt: skip


def _jsonl(rows: Rows) -> Iterator[bytes]:
    names = [str(name) for name in next(rows)]
    for row in rows:
        yield json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False).encode() + b"\n"


WRITERS: Mapping[str, tuple[Callable[[Rows], Iterator[bytes]], str]] = {
    "csv": (csv_cells.write, "text/csv; charset=utf-8"),
    "tsv": (partial(csv_cells.write, delimiter="\t"), "text/tab-separated-values; charset=utf-8"),
    "jsonl": (_jsonl, "application/x-ndjson"),
}


def written_table(study: Study, file: str, form: str) -> Iterator[bytes]:
    """One table of the study, chunk by chunk; a UserError where there is no such table or form."""
    for given, known, where in ((file, TABLES, "file"), (form, WRITERS, "format")):
        if given not in known:
            raise UserError("'{given}' is none of {known}.", given=given[:40], known=", ".join(known), where=where)
    return WRITERS[form][0](TABLES[file](study))

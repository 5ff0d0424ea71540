"""The forms in which gold rewrites leave the site, each as chunks of bytes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain

from annotation.gold.rewrites.rows import rewrite_rows
from corpora.formats import FORMATS, Rewrite, csv_cells
from corpora.formats.gold_jsonl import NAMES
from corpora.models import Study
from foundation.errors import UserError

LINES = 1000  # of JSON in one chunk


@dataclass(frozen=True)
class RewriteFormat:
    """A form: what it is for people, and the file it makes."""

    label: str
    about: str
    suffix: str
    media_type: str
    chunks: Callable[[Study], Iterator[bytes]]


def export_rewrites(study: Study, form: str) -> Iterator[bytes]:
    """The study's gold rewrites in a form, streamed. UserError at once where the form cannot hold them."""
    if form not in REWRITE_FORMATS:
        raise UserError(
            "There is no form '{form}'; there are {rewrite_formats}.",
            form=form,
            rewrite_formats=", ".join(REWRITE_FORMATS),
            where="format",
        )
    chunks = REWRITE_FORMATS[form].chunks(study)
    first = next(chunks, b"")  # what can go wrong does so before the first byte
    return chain([first], chunks)


def _jsonl(study: Study) -> Iterator[bytes]:
    lines: list[str] = []
    for (line,) in rewrite_rows(study, "row_to_json(gold)::text"):
        lines.append(line)
        if len(lines) == LINES:
            yield ("\n".join(lines) + "\n").encode()
            lines = []
    if lines:
        yield ("\n".join(lines) + "\n").encode()


def _csv(study: Study) -> Iterator[bytes]:
    return csv_cells.write(chain([NAMES], rewrite_rows(study)))


def _gyafc(study: Study) -> Iterator[bytes]:
    return FORMATS["gyafc"].write(Rewrite(*row) for row in rewrite_rows(study))


REWRITE_FORMATS = {
    "jsonl": RewriteFormat(
        "JSON lines", "One object a rewrite, with its provenance.", ".jsonl", "application/x-ndjson", _jsonl
    ),
    "gyafc": RewriteFormat(
        "GYAFC layout",
        "A ZIP archive of folders by domain and split, a text a line; formal.ref0 and so on hold the rewrites.",
        ".zip",
        "application/zip",
        _gyafc,
    ),
    "csv": RewriteFormat(
        "CSV", "A table for spreadsheets; no cell runs as a formula.", ".csv", "text/csv; charset=utf-8", _csv
    ),
}

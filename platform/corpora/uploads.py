"""Texts that come in through the browser or the API: an upload or a pasted text, read for a direction."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from corpora.formats import Column, TextFile
from corpora.models import Direction
from corpora.parallel_texts import read_joined
from corpora.text_files.parallel_lines import read_parallel, read_texts
from foundation.confined import confined
from foundation.errors import UserError
from foundation.translation import translatable

MEGABYTE = 1024 * 1024


@dataclass(frozen=True)
class Layout:
    """How uploaded texts stand in their file: line by line, or a table joined on the source where both are given.

    `source` and `text` are columns, as a number from 1 or a name; `format` names the table's, "" is by its suffix.
    """

    source: str = ""
    text: str = ""
    format: str = ""
    encoding: str = ""


PASTED = translatable("the pasted text")


def text_file(upload: "UploadedFile[Any] | None", pasted: str = "", *, encoding: str = "", name: str = "") -> TextFile:
    """The file to read; a pasted text is UTF-8, whatever is declared."""
    if upload is None:
        return TextFile(pasted.encode(), name or PASTED)
    upload.seek(0)
    return TextFile(upload, upload.name or "the upload", encoding or None, settings.UPLOAD_LIMIT_BYTES)


def sources_in(file: TextFile) -> list[str]:
    """The sources, a line each."""
    return confined(read_texts, file)


def texts_for(direction: Direction, file: TextFile, layout: Layout, *, missing: bool = False) -> list[str | None]:
    """The texts in `file`, one, or None, for each source of the direction in its order."""
    sources = list(direction.sentences.order_by("number").values_list("text", flat=True))
    if not sources:
        raise UserError("{direction} has no sources yet; add them first.", direction=direction, where=file.name)
    source, text = column_of(layout.source), column_of(layout.text)
    if (source is None) != (text is None):
        raise UserError("A table needs both columns: that of the source and that of the text.", where="source")
    if source is None or text is None:
        if layout.format:
            raise UserError("A table needs the columns of the source and of the text.", where="source")
        return confined(read_parallel, file, len(sources), missing=missing)
    return read_joined(file, sources, source, text, form=layout.format, missing=missing)


def column_of(given: str) -> Column | None:
    """A column as people type it: '2' is the second, a word is its name in the header, nothing is none."""
    given = given.strip()
    if re.fullmatch(r"[0-9]{1,6}", given):
        if int(given) < 1:
            raise UserError("Columns count from 1.", where="source")
        return int(given)
    return given or None


def refusal(request: Any, field: str) -> str:
    """The sentence for a field whose upload was skipped because it is too large; empty where none was."""
    refused: Mapping[str, str] = getattr(request, "refused_uploads", {})
    if field not in refused:
        return ""
    limit = getattr(request, "upload_limit", settings.UPLOAD_LIMIT_BYTES)
    most = f"{limit / MEGABYTE:.0f} MB" if limit >= MEGABYTE else f"{limit:,} bytes"
    return f"{refused[field]}: the file is too large; an upload may have at most {most} in all."

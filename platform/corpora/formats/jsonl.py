"""JSON lines: an object a line, whose keys are the columns."""

from collections.abc import Iterator

from corpora.formats._base import TableFormat
from corpora.tabular_files import Column, Row
from corpora.text_files.decoding import TextFile
from corpora.text_files.json_lines import is_text, objects
from foundation.errors import UserError, first_five


def rows(file: TextFile, columns: tuple[Column, ...]) -> Iterator[Row]:
    """The rows of `file` with `columns`, which are keys. A key whose value is not a text is a `UserError`."""
    for column in columns:
        if isinstance(column, int):
            raise UserError(
                "JSONL has keys and no column number {column}; give the key's name.", column=column, where=file.name
            )
    bad: list[str] = []
    for line, entry in objects(file):
        values = [entry.get(str(column)) for column in columns]
        wrong = [str(key) for key, value in zip(columns, values, strict=True) if not is_text(value)]
        if wrong:
            bad.append(f"line {line} ({', '.join(wrong)})")
        elif not bad:
            yield Row(line, tuple(values))
    if bad:
        raise UserError("a text was expected and something else found: {bad}.", bad=first_five(bad), where=file.name)


FORMAT = TableFormat("JSON lines", "A JSON object a line.", (".jsonl", ".ndjson"), rows=rows)

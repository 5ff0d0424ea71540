"""Texts line by line: line n of a file of references or outputs belongs to line n of the sources."""

from corpora.text_files.decoding import TextFile, read_lines
from foundation.errors import UserError, first_five


def read_texts(file: TextFile) -> list[str]:
    """The texts of `file`, a line each, as they stand. No lines, or an empty one, is a `UserError`."""
    texts = list(read_lines(file))
    if not texts:
        raise UserError("the file is empty; one text per line was expected.", where=file.name)
    _refuse_empty(texts, file.name)
    return texts


def read_parallel(file: TextFile, count: int, *, missing: bool = False) -> list[str | None]:
    """`count` texts, one for each source. With `missing`, an empty line is a source without a text (None)."""
    texts = list(read_lines(file))
    if len(texts) != count:
        raise UserError(_miscounted(len(texts), count), where=file.name)
    if not missing:
        _refuse_empty(texts, file.name)
    return [text if text.strip() else None for text in texts]


def _refuse_empty(texts: list[str], name: str) -> None:
    empty = [number for number, text in enumerate(texts, 1) if not text.strip()]
    if empty:
        raise UserError("the text is empty on line {empty}.", empty=first_five(empty), where=name)


def _miscounted(found: int, count: int) -> str:
    if found < count:
        places = f"sources without a line: {first_five(range(found + 1, count + 1))}"
    else:
        places = f"lines without a source: {first_five(range(count + 1, found + 1))}"
    return f"the file has {found:,} lines for {count:,} sources; {places}."

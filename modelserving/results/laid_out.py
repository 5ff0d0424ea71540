"""Tables in Markdown, and their places in a document, between two lines that name them."""

from collections.abc import Sequence
from pathlib import Path

from foundation.errors import UserError


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column stands to the left and the others to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def put(document: Path, name: str, text: str) -> None:
    """Put the text in place of what stands between `<!-- made: NAME -->` and `<!-- end: NAME -->`."""
    before = document.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->"
    if before.count(begin) != 1 or before.count(end) != 1 or before.index(begin) > before.index(end):
        raise UserError(
            f"The lines that say where the table '{name}' begins and ends are not there.", where=str(document)
        )
    head, _, rest = before.partition(begin)
    tail = rest[rest.index(end) :]
    fresh = document.with_name(f".{document.name}")
    fresh.write_text(f"{head}{begin}{text}\n{tail}", encoding="utf-8")
    fresh.replace(document)

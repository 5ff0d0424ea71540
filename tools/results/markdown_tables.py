"""Tables in Markdown, and their places in a document, between two lines that name them."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from foundation.errors import UserError


def markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table whose first column stands to the left and the others to the right."""
    rule = ["---", *["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rule, *rows))


def format_value(value: float | None, digits: int) -> str:
    """A number; a dash where an older run did not find it."""
    return "–" if value is None else f"{value:,.{digits}f}"


def format_share(value: float | None, digits: int) -> str:
    """A share in percent."""
    return "–" if value is None else f"{100 * value:.{digits}f}%"


def sample_tables(sources: Sequence[str], outputs: Mapping[str, Sequence[str]]) -> str:
    """A table for each source, folded away: what each row makes of it."""
    if not sources:
        return ""
    head = f"<details>\n<summary>What each makes of {len(sources)} sources, drawn by a seed</summary>\n"
    blocks = []
    for at, source in enumerate(sources):
        lines = [f"| {name} | {_plain(texts[at])} |" for name, texts in outputs.items()]
        blocks.append("\n".join([f"| the source | {_plain(source)} |", "| --- | --- |", *lines, ""]))
    return "\n".join([head, *blocks, "</details>"])


def _plain(text: str) -> str:
    for mark in ("\\", "|", "*", "_", "`", "<"):
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split()) or "(nothing)"


def put_between_markers(document: Path, name: str, text: str) -> None:
    """Put the text in place of what stands between `<!-- made: NAME -->` and `<!-- end: NAME -->`."""
    before = document.read_text(encoding="utf-8")
    begin, end = f"<!-- made: {name} -->\n", f"<!-- end: {name} -->"
    if before.count(begin) != 1 or before.count(end) != 1 or before.index(begin) > before.index(end):
        raise UserError(
            "The lines that say where the table '{name}' begins and ends are not there.", name=name, where=str(document)
        )
    head, _, rest = before.partition(begin)
    tail = rest[rest.index(end) :]
    fresh = document.with_name(f".{document.name}")
    fresh.write_text(f"{head}{begin}{text}\n{tail}", encoding="utf-8")
    fresh.replace(document)

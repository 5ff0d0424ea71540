"""The form of the MSD corpus (Cao et al. 2020; its readme): an object a line, with `text`, `label` and `concepts`.

    {"text": "...", "label": 0, "concepts": [{"range": [2, 3], "term": "...", "cui": ["C0013404"]}]}

`label` is 0 for a sentence of the expert style, 1 for the layman style. A concept's `range` is the places of its first
and its last word, counted from 0 between white space. In a parallel file lines 2n-1 and 2n say the same; in the other
(the corpus's `train.txt`) each line stands for itself. A line is as Python's `json.dumps` writes it, and a text that
is several sentences has spaces between them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from corpora.formats._base import GoldFormat
from corpora.gold_records import GoldRow, of_kinds
from corpora.text_files.decoding import TextFile, read_lines
from corpora.text_files.json_lines import is_text, object_from
from foundation.errors import UserError
from foundation.papers import MSD

BATCH = 500
KEYS = ("text", "label", "concepts")
LABELS = (0, 1)


class _Line(NamedTuple):
    """A line of the form; `escaped` where its letters beyond ASCII are written as \\u."""

    text: str
    label: int | str
    concepts: list[dict[str, Any]]
    escaped: bool


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """Two lines for a pair, one for a sentence that stands for itself."""
    lines: list[str] = []
    for row in of_kinds(rows, FORMAT.kinds, "MSD's form"):
        lines.extend(_lines(row))
        if len(lines) >= BATCH:
            yield ("\n".join(lines) + "\n").encode()
            lines = []
    if lines:
        yield ("\n".join(lines) + "\n").encode()


def _lines(row: GoldRow) -> list[str]:
    product, extra = row.product, row.extra
    concepts = extra.get("concepts", {})
    if row.kind == "sentence":
        label = 0 if product.get("style", row.source_style) == row.source_style else 1
        sides = [("source", product["text"], label)]
    else:
        texts = [product["source"], product["text"] if row.kind == "rewrite" else product["target"]]
        joined = [text if isinstance(text, str) else " ".join(text) for text in texts]
        sides = list(zip(("source", "target"), joined, LABELS, strict=True))
    labels = extra.get("labels", {})
    return [
        json.dumps(
            {"text": text, "label": labels.get(side, label), "concepts": concepts.get(side, [])},
            ensure_ascii=bool(extra.get("ascii", False)),
        )
        for side, text, label in sides
    ]


def read(file: TextFile, styles: tuple[str, str] = ("expert", "layman"), split: str = "test") -> Iterator[GoldRow]:
    """Pairs of a parallel file; of a file whose split is train, sentences that stand for themselves."""
    lines = (_line(line, f"{file.name}, line {number}") for number, line in enumerate(read_lines(file), 1) if line)
    for number, first in enumerate(lines, 1):
        if split == "train":
            yield _sentence(number, first, styles, split)
            continue
        second = next(lines, None)
        if second is None:
            raise UserError("the last line has no line that is parallel to it.", where=file.name)
        yield _pair(number, first, second, styles, split)


def _line(line: str, where: str) -> _Line:
    entry = object_from(line, where)
    if tuple(entry) != KEYS:
        raise UserError(
            "the keys {keys} were expected, and not {entry}.", keys=", ".join(KEYS), entry=", ".join(entry), where=where
        )
    text, label, concepts = (entry[key] for key in KEYS)
    if text is None or not is_text(text) or not text.strip():
        raise UserError("a text was expected for 'text'.", where=where)
    if isinstance(label, bool) or str(label) not in {"0", "1"}:
        raise UserError("a label is 0 or 1, and not '{label}'.", label=label, where=where)
    if not isinstance(concepts, list) or not all(isinstance(concept, dict) for concept in concepts):
        raise UserError("a list of objects was expected for 'concepts'.", where=where)
    return _Line(text, label, concepts, line.isascii() and not json.dumps(entry, ensure_ascii=False).isascii())


def _sentence(number: int, line: _Line, styles: tuple[str, str], split: str) -> GoldRow:
    product = {"kind": "sentence", "text": line.text, "style": styles[int(line.label)]}
    extra = _extra({"source": line}, [int(line.label)])
    return GoldRow("sentence", str(number), *styles, product, split, extra=extra)


def _pair(number: int, first: _Line, second: _Line, styles: tuple[str, str], split: str) -> GoldRow:
    product = {"kind": "pair", "title": "", "element": "", "source": [first.text], "target": [second.text],
               "source_ids": [], "target_ids": []}  # fmt: skip
    source, target = styles if int(first.label) == 0 else styles[::-1]
    extra = _extra({"source": first, "target": second}, LABELS)
    return GoldRow("pair", str(number), source, target, product, split, extra=extra)


def _extra(sides: Mapping[str, _Line], usual: Sequence[int]) -> dict[str, Any]:
    """The file's data beyond the texts: concepts, labels that are not the usual numbers, and how it escapes."""
    extra: dict[str, Any] = {"concepts": {side: line.concepts for side, line in sides.items()}}
    labels = {side: line.label for (side, line), label in zip(sides.items(), usual, strict=True) if line.label != label}
    escaped = any(line.escaped for line in sides.values())
    return {**extra, **({"labels": labels} if labels else {}), **({"ascii": True} if escaped else {})}


FORMAT = GoldFormat(
    "MSD corpus",
    "JSON lines of text, label and concepts; lines 2n-1 and 2n are parallel.",
    (".txt",),
    paper=MSD,
    write=write,
    read=read,
    suffix=".txt",
    media_type="text/plain; charset=utf-8",
    kinds=frozenset({"pair", "rewrite", "sentence"}),
    by_split=True,
)

"""The form of the MedLane corpus (Luo et al. 2020), as its published samples have it: blocks, each with a blank line.

A block of the tune and test sets is the source and four numbered lines:

    pt was given asa .
    1 pt[patient] was given asa[acetylsalicylic acid] .
    2 the patient was given a medicine against pain .
    3 you were given asa[acetylsalicylic acid] .
    4 you were given a medicine against pain .

1 is the source rephrased, its abbreviations with their full form in brackets; 2 is it simplified; 3 and 4 are the same
addressed to the patient. A 2 that equals its 1 is numbered 1 again, a 4 that equals its 3 likewise. A block of the
train set is the source, and simplified in plain words and addressed, without numbers.

The paper prints a full form alone, `[shortness of breath]`; that is read as well, and written as it was read. So is a
mark that departs from the rule.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from corpora.formats._base import GoldFormat
from corpora.gold_records import GoldRow, bracketed, of_kinds, one_line, segments
from corpora.text_files.decoding import TextFile, read_lines
from foundation.errors import UserError
from foundation.papers import MEDLANE

BATCH = 200
MARK = re.compile(r"[1-4] ")


def write(rows: Iterable[GoldRow]) -> Iterator[bytes]:
    """A block a row, a few hundred in a chunk."""
    blocks: list[str] = []
    for row in of_kinds(rows, FORMAT.kinds, "MedLane's form"):
        blocks.append("\n".join(_block(row)) + "\n\n")
        if len(blocks) == BATCH:
            yield "".join(blocks).encode()
            blocks = []
    if blocks:
        yield "".join(blocks).encode()


def _block(row: GoldRow) -> list[str]:
    product = row.product
    simple, addressed = one_line(product["simplified"]), one_line(product["simplified_addressed"])
    if not product["rephrased"]:
        return [one_line(product["source"]), simple, addressed]
    texts = [bracketed(product["rephrased"]), simple, bracketed(product["rephrased_addressed"]), addressed]
    marks = row.extra.get("marks") or _marks(texts)
    return [one_line(product["source"]), *(mark + text for mark, text in zip(marks, texts, strict=True))]


def _marks(texts: Sequence[str]) -> list[str]:
    return ["1 ", "1 " if texts[1] == texts[0] else "2 ", "3 ", "3 " if texts[3] == texts[2] else "4 "]


def read(file: TextFile, styles: tuple[str, str] = ("expert", "layman"), split: str = "") -> Iterator[GoldRow]:
    """A row a block, of either shape; `split` where left out is train for blocks without numbers, else test."""
    for number, (line, block) in enumerate(_blocks(file), 1):
        where = f"{file.name}, line {line}"
        if len(block) not in (3, 5):
            raise UserError(
                "a source and two or four lines were expected, and not {block_count} lines.",
                block_count=len(block),
                where=where,
            )
        extra: dict[str, Any] = {}
        if len(block) == 3:
            product = _product(block[0], "", block[1], "", block[2])
        else:
            marks = [match[0] if (match := MARK.match(text)) else "" for text in block[1:]]
            texts = [text.removeprefix(mark) for text, mark in zip(block[1:], marks, strict=True)]
            product = _product(block[0], *texts)
            extra = {} if marks == _marks(texts) else {"marks": marks}
        own = split or ("train" if len(block) == 3 else "test")
        yield GoldRow("two_step", str(number), *styles, product, own, extra=extra)


def _blocks(file: TextFile) -> Iterator[tuple[int, list[str]]]:
    """The line that each block begins on, and its lines."""
    block: list[str] = []
    number = 0
    for number, line in enumerate(read_lines(file), 1):
        if line.strip():
            block.append(line)
        elif block:
            yield number - len(block), block
            block = []
    if block:
        yield number - len(block) + 1, block


def _product(source: str, one: str, two: str, three: str, four: str) -> dict[str, Any]:
    return {
        "kind": "two_step",
        "source": source,
        "rephrased": segments(one),
        "simplified": two,
        "rephrased_addressed": segments(three),
        "simplified_addressed": four,
        "unchanged": two == source and one in ("", source),
        "final": one == two,
    }


FORMAT = GoldFormat(
    "MedLane corpus",
    "Blocks of a source with its rephrased and simplified lines, plain and addressed to the patient.",
    (".txt",),
    paper=MEDLANE,
    write=write,
    read=read,
    suffix=".txt",
    media_type="text/plain; charset=utf-8",
    kinds=frozenset({"two_step"}),
    by_split=True,
)

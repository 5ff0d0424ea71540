"""Linked concepts for rows that leave in MSD's form."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.gold.release.rows import ReleaseRow
from corpora.formats._gold import texts_of
from corpora.formats.msd import concepts_of
from corpora.knowledge.concepts import Linker, linker


def with_concepts(settings: Mapping[str, Any], pieces: Iterable[ReleaseRow]) -> Iterator[ReleaseRow]:
    """The pieces, each with the concepts of its texts where MSD's form is asked for; what was read keeps its own."""
    found = linker() if "msd" in settings["forms"] else None
    for piece in pieces:
        yield piece if found is None or piece.row.extra else _with_concepts(piece, found)


def _with_concepts(piece: ReleaseRow, found: Linker) -> ReleaseRow:
    product = piece.row.product
    source, target = texts_of(product)
    sides = {"source": product["text"]} if piece.row.kind == "sentence" else {"source": source, "target": target}
    concepts = {side: concepts_of(text, found.link(text)) for side, text in sides.items()}
    return piece._replace(row=replace(piece.row, extra={"concepts": concepts}))

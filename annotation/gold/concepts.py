"""Linked concepts for rows that leave in MSD's form."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from annotation.gold.pieces import Piece
from corpora.formats._gold import texts_of
from corpora.formats.msd import concepts_of
from corpora.models import Study


def linked(study: Study, settings: Mapping[str, Any], pieces: Iterable[Piece]) -> Iterator[Piece]:
    """The pieces, each with the concepts of its texts where MSD's form is asked for and the study has a linker."""
    linker = linker_of(study) if "msd" in settings["forms"] else None
    for piece in pieces:
        yield piece if linker is None or piece.row.extra else _with_concepts(piece, linker)


def linker_of(study: Study) -> Any:
    if find_spec("corpora.knowledge.concepts") is None:
        return None
    from corpora.knowledge.concepts import linker

    return linker(study)


def _with_concepts(piece: Piece, linker: Any) -> Piece:
    product = piece.row.product
    source, target = texts_of(product)
    sides = {"source": product["text"]} if piece.row.kind == "sentence" else {"source": source, "target": target}
    concepts = {side: concepts_of(text, linker.link(text)) for side, text in sides.items()}
    return piece._replace(row=replace(piece.row, extra={"concepts": concepts}))

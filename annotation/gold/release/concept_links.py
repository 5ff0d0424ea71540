"""Linked concepts for rows that leave in MSD's form."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from annotation.gold.release.rows import ReleaseRow
from corpora.gold_records import concepts_of, texts_of
from corpora.knowledge.concepts import Linker, linker


def with_concepts(settings: Mapping[str, Any], rows: Iterable[ReleaseRow]) -> Iterator[ReleaseRow]:
    """The rows, each with the concepts of its texts where MSD's form is asked for; what was read keeps its own."""
    concept_linker = linker() if "msd" in settings["forms"] else None
    for release_row in rows:
        if concept_linker is None or release_row.row.extra:
            yield release_row
        else:
            yield _with_concepts(release_row, concept_linker)


def _with_concepts(release_row: ReleaseRow, concept_linker: Linker) -> ReleaseRow:
    product = release_row.row.product
    source, target = texts_of(product)
    sides = {"source": product["text"]} if release_row.row.kind == "sentence" else {"source": source, "target": target}
    concepts = {side: concepts_of(text, concept_linker.link(text)) for side, text in sides.items()}
    return release_row._replace(row=replace(release_row.row, extra={"concepts": concepts}))

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from django.db import transaction
from django.db.models import Max

from accounts.trail import recorded
from annotation.gold.settings import forms
from annotation.models import ImportedGold
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.lock_study import lock_study
from corpora.bulk import copy_rows
from corpora.formats import GoldRow, TextFile
from corpora.formats._gold import texts_of
from corpora.formats.gold import entry_of
from corpora.models import Direction, Document, DocumentSentence, Question, Sentence, Study
from foundation.errors import UserError


class Imported(NamedTuple):
    """How many rows were read. `same`: whether they would be written again to the same bytes, None for a folder."""

    rows: int
    same: bool | None


@recorded
@transaction.atomic
def import_gold(*, study: Study, file: TextFile, form: str, split: str = "test", by: Any = None) -> Imported:
    """Read gold that was made elsewhere into a study: its sources, references, and the rows to release again.

    Rewrites, pairs and two-step sentences become sources with references; adaptations become questions and documents.
    `split` is that of rows whose form does not say one.
    """
    lock_study(study)
    known = forms()
    if form not in known:
        raise UserError(f"There is no form '{form}'; there are {', '.join(known)}.", where="format")
    if study.releases.exists():
        raise UserError("A release was made of this study; read other gold into a study of its own.", where="study")
    reader = known[form]
    rows = list(reader.read(file, (study.styles[0], study.styles[1]), split))
    if not rows:
        raise UserError("There is no gold in the file.", where=file.name)
    _keep(study, file.name, rows)
    _adaptations(study, [row for row in rows if row.kind == "adaptation"])
    _sentences(study, [row for row in rows if row.kind in ("rewrite", "pair", "two_step")], file.name)
    return Imported(len(rows), _same(file, reader.write(rows)))


def _same(file: TextFile, chunks: Iterable[bytes]) -> bool | None:
    if isinstance(file.source, Path):
        return None if file.source.is_dir() else file.source.read_bytes() == b"".join(chunks)
    return file.source == b"".join(chunks) if isinstance(file.source, bytes) else None


def _keep(study: Study, name: str, rows: list[GoldRow]) -> None:
    last = study.imported_gold.aggregate(last=Max("place"))["last"] or 0
    entries = (
        (study.pk, place, name[:200], row.kind, orjson.dumps(entry_of(row)).decode())
        for place, row in enumerate(rows, last + 1)
    )
    copy_rows(ImportedGold, ["study", "place", "origin", "kind", "entry"], entries)


def _sentences(study: Study, rows: list[GoldRow], name: str) -> None:
    """Sources in the order of the file, and as many sets of references as a source has rows."""
    by_styles: dict[tuple[str, str], dict[tuple[str, str], list[GoldRow]]] = {}
    for row in rows:
        sources = by_styles.setdefault((row.source_style, row.target_style), {})
        sources.setdefault((row.source_id, row.split), []).append(row)
    for styles, sources in by_styles.items():
        direction = _direction(study, *styles)
        groups = list(sources.values())
        before = _add_sources(direction, groups)
        for place in range(max(len(group) for group in groups)):
            texts = (texts_of(group[place].product)[1] if place < len(group) else None for group in groups)
            add_references(direction=direction, texts=[None] * before + list(texts), origin=name)


def _direction(study: Study, source: str, target: str) -> Direction:
    found = study.directions.filter(source_style=source, target_style=target).first()
    return found or add_direction(study=study, source_style=source, target_style=target)


def _add_sources(direction: Direction, groups: list[list[GoldRow]]) -> int:
    """Answers how many there were before."""
    before = direction.sentences.aggregate(last=Max("number"))["last"] or 0
    rows = (
        (direction.pk, number, texts_of(group[0].product)[0], group[0].split, group[0].domain)
        for number, group in enumerate(groups, before + 1)
    )
    copy_rows(Sentence, ["direction", "number", "text", "split", "domain"], rows)
    return before


def _adaptations(study: Study, rows: list[GoldRow]) -> None:
    """Questions and abstracts with their sentences, each once."""
    questions = {one.code: one for one in study.questions.all()}
    known = set(study.documents.values_list("style", "code"))
    number = study.documents.aggregate(last=Max("number"))["last"] or 0
    for row in rows:
        product = row.product
        question = _question(study, questions, product.get("question"))
        if (row.source_style, product["code"]) in known:
            continue
        known.add((row.source_style, product["code"]))
        number += 1
        document = Document.objects.create(
            study=study, number=number, style=row.source_style, code=product["code"], title=product["title"][:500],
            question=question, split=row.split,
        )  # fmt: skip
        texts = ((document.pk, place, one["text"]) for place, one in enumerate(product["sentences"], 1))
        made = [DocumentSentence(document_id=pk, number=place, text=text) for pk, place, text in texts]
        DocumentSentence.objects.bulk_create(made)


def _question(study: Study, known: dict[str, Question], asked: dict[str, str] | None) -> Question | None:
    if not asked:
        return None
    code = asked["code"][:60]
    if code not in known:
        known[code] = Question.objects.create(
            study=study, number=len(known) + 1, code=code, text=asked["text"], type=asked["type"][:1]
        )
    return known[code]

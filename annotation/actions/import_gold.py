from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import md5
from pathlib import Path
from typing import Any, NamedTuple

import orjson
from django.db import transaction
from django.db.models import Max
from django.db.models.functions import MD5

from accounts.audit import audited
from annotation.gold.adoption import LocatedRow, group_rows, write_texts
from annotation.gold.imports import GoldFields, GoldFile, gold_files
from annotation.gold.release.settings import gold_formats
from annotation.models import ImportedGold
from corpora.actions.lock_study import lock_study
from corpora.database import copy_rows
from corpora.formats import GoldRow, TextFile
from corpora.gold_records import entry_of
from corpora.models import Document, DocumentSentence, Question, Study
from foundation.errors import UserError
from foundation.options import validate_options

ORIGIN = "imported gold"
Step = Callable[[int, int], object]


class Imported(NamedTuple):
    """The result of an import. `same`: whether the one file would be written again byte by byte, None for a folder.

    `again` are rows that were here already, `sources` how many by direction and split, `left` texts that are held out
    from training by where they stand.
    """

    rows: int
    same: bool | None
    forms: tuple[str, ...] = ()
    again: int = 0
    sources: dict[str, dict[str, int]] = {}
    sets: int = 0
    references: int = 0
    documents: int = 0
    questions: int = 0
    left: dict[str, int] = {}


@audited
@transaction.atomic
def import_gold(
    *,
    study: Study,
    file: TextFile,
    by: Any = None,
    step: Step = lambda done, total: None,
    **fields: Any,
) -> Imported:
    """Read gold that was made elsewhere into a study: its sources, references, and the rows to release again.

    A file, a folder or a ZIP archive: of a release of this site, or in one of the published forms; `fields` are
    `GoldFields`. Every kind becomes sources with references (`gold/adoption.py`), adaptations also
    questions and documents. `step` hears how far it is.
    """
    lock_study(study)
    asked = check_asked(study, fields)
    with gold_files(file, asked.form, asked.split) as parts:
        step(0, 4)
        rows = [row for part in parts for row in _read(study, part)]
        if not rows:
            raise UserError("The file has no gold.", where=file.name)
        step(1, 4)
        same = _same(parts[0], rows) if len(parts) == 1 else None
    new = new_rows(study, rows)
    keep_rows(study, file.name, new)
    step(2, 4)
    documents, questions = study.documents.count(), study.questions.count()
    own = _adaptations(study, [row for row in new if row.kind == "adaptation"])
    step(3, 4)
    given = (LocatedRow(row, document=own.get((row.source_style, row.product.get("code", "")))) for row in new)
    texts = write_texts(study, group_rows(given, asked.tune), ORIGIN)
    sources: dict[str, dict[str, int]] = {}
    for (direction, of), count in sorted(texts.sources.items()):
        sources.setdefault(direction, {})[of] = count
    return Imported(
        rows=len(new), same=same, forms=tuple(sorted({part.form for part in parts})), again=len(rows) - len(new),
        sources=sources, sets=len(texts.sets), references=texts.references,
        documents=study.documents.count() - documents, questions=study.questions.count() - questions,
        left=dict(texts.left_out),
    )  # fmt: skip


def check_asked(study: Study, fields: Mapping[str, Any]) -> GoldFields:
    """The checked fields; a UserError unless gold can be read into the study with them."""
    asked = validate_options(GoldFields, fields)
    if study.releases.exists():
        raise UserError("This study has a release; import other gold into a new study.", where="study")
    if len(study.styles) < 2:
        raise UserError("The study has only one style; gold data need two.", where="study")
    return asked


def _read(study: Study, part: GoldFile) -> Iterable[GoldRow]:
    return gold_formats()[part.form].read(part.file, (study.styles[0], study.styles[1]), part.split)


def _same(part: GoldFile, rows: Sequence[GoldRow]) -> bool | None:
    """Whether the rows write the same file again; None for a folder, since an archive can be packed in many ways."""
    place = part.file.source
    if not isinstance(place, Path) or place.is_dir():
        return None
    with place.open("rb") as stream:
        written = all(stream.read(len(chunk)) == chunk for chunk in gold_formats()[part.form].write(rows))
        return written and not stream.read(1)


def new_rows(study: Study, rows: Sequence[GoldRow]) -> list[GoldRow]:
    """The rows that were not read before, word for word."""
    present = Counter(study.imported_gold.values_list(MD5("entry"), flat=True).iterator())
    if not present:
        return list(rows)
    new = []
    for row in rows:
        key = md5(_entry(row).encode(), usedforsecurity=False).hexdigest()
        if present[key]:
            present[key] -= 1
        else:
            new.append(row)
    return new


def _entry(row: GoldRow) -> str:
    return orjson.dumps(entry_of(row)).decode()


def keep_rows(study: Study, name: str, rows: Sequence[GoldRow]) -> None:
    last = study.imported_gold.aggregate(last=Max("place"))["last"] or 0
    entries = ((study.pk, place, name[:200], row.kind, _entry(row)) for place, row in enumerate(rows, last + 1))
    copy_rows(ImportedGold, ["study", "place", "origin", "kind", "entry"], entries)


def _adaptations(study: Study, rows: Sequence[GoldRow]) -> dict[tuple[str, str], int]:
    """Questions and abstracts with their sentences, each once; the key of each abstract by its style and code."""
    questions = {question.code: question for question in study.questions.all()}
    known = dict(_documents(study)) if rows else {}
    number = study.documents.aggregate(last=Max("number"))["last"] or 0
    for row in rows:
        product = row.product
        key = (row.source_style, product["code"])
        question = _question(study, questions, product.get("question"))
        if key in known:
            continue
        number += 1
        document = Document.objects.create(
            study=study, number=number, style=row.source_style, code=product["code"][:100],
            title=product["title"][:500], question=question, split=row.split,
        )  # fmt: skip
        known[key] = document.pk
        texts = (
            (document.pk, _place(sentence, place), sentence["text"])
            for place, sentence in enumerate(product["sentences"], 1)
        )
        copy_rows(DocumentSentence, ["document", "number", "text", "section", "translation", "flags"],
                  ((*row, "", "", "[]") for row in texts))  # fmt: skip
    return known


def _place(sentence: dict[str, Any], place: int) -> int:
    """The sentence's own number, where it is one."""
    return sentence["number"] if isinstance(sentence["number"], int) else place


def _documents(study: Study) -> Iterable[tuple[tuple[str, str], int]]:
    rows = study.documents.exclude(code="").values_list("style", "code", "pk")
    return (((style, code), pk) for style, code, pk in rows.iterator())


def _question(study: Study, known: dict[str, Question], asked: dict[str, str] | None) -> Question | None:
    if not asked:
        return None
    code = asked["code"][:60]
    if code not in known:
        known[code] = Question.objects.create(
            study=study, number=len(known) + 1, code=code, text=asked["text"], type=asked["type"][:1]
        )
    return known[code]


def counts_of(done: Imported) -> dict[str, Any]:
    """The result of an import as JSON."""
    return {**done._asdict(), "forms": list(done.forms)}


def look_at_gold(**asked: Any) -> Imported:
    """Count what `import_gold` would import, and keep nothing."""
    with transaction.atomic():
        done = import_gold(**asked)
        transaction.set_rollback(True)
    return done

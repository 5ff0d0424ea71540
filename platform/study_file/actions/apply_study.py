from collections.abc import Callable
from typing import Any

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.formats import TextFile, read_lines
from corpora.models import Study
from foundation.errors import UserError
from study_file.apply_parts import Application, Files
from study_file.declaration import Opener, ScaleValues, differences, digested, digests_of, parts_of
from study_file.parser.parser import parse_study_file
from study_file.parser.texts import read_texts_of


@audited
@transaction.atomic
def apply_study(
    *,
    file: TextFile,
    opened: Opener,
    limit: int | None = None,
    by: Any = None,
    may_change: Callable[[Study], object] = lambda study: None,
) -> tuple[Study, list[str]]:
    """Set up the study that `file` (a path or bytes) declares; answers it and the names of the parts that were added.

    Applied again it changes nothing. A part that differs from the applied one is a UserError that states every
    difference, and nothing is changed. `opened` gives the files that the declaration names; `may_change(study)` raises
    where the person may not change a study that is there already.
    """
    spec = parse_study_file(file)
    study = Study.objects.select_for_update().filter(slug=spec.slug).first()
    if study is not None:
        may_change(study)
        lock_study(study)
    opened = _placed(opened, file)
    parts = parts_of(spec)
    declared = digested(parts, digests_of(spec.files, opened))
    if study is not None:
        _refuse_differences(study, declared, parts, file.name)
    added = [name for name in declared if study is None or name not in study.declared]
    if added:
        texts = read_texts_of(spec, opened, ScaleValues(), limit=limit)
        study = Application(study, spec, texts, Files(opened, limit), set(added), by, file.name).apply()
        study.declared = {**study.declared, **declared}
        study.save(update_fields=["declared"])
    assert study is not None
    return study, added


def _placed(opened: Opener, file: TextFile) -> Opener:
    """`opened`, with errors that name the line of the study file on which the file is named."""

    def place(name: str) -> Any:
        try:
            return opened(name)
        except UserError as error:
            escaped = name.replace("\\", "\\\\")
            quoted = (f'"{escaped}"', f"'{name}'")
            lines = enumerate(read_lines(file), 1)
            line = next((number for number, text in lines if any(one in text for one in quoted)), None)
            where = f"{file.name}, line {line}" if line else file.name
            raise UserError("{name}: {given}", name=name, given=error.sentence, where=where) from None

    return place


def _refuse_differences(study: Study, declared: Any, parts: Any, where: str) -> None:
    if not study.declared:
        raise UserError("There is a study '{slug}' that was not made from a study file.", slug=study.slug, where=where)
    stated = differences(study.declared, declared, parts)
    if stated:
        raise UserError(
            "The file differs from the applied one in these parts, so nothing was changed: {stated}.",
            stated="; ".join(stated),
            where=where,
        )

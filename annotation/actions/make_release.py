import secrets
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from functools import partial
from typing import Any

import numpy as np
from django.db import connection, transaction

from annotation.actions.start_release import refuse_silence
from annotation.gold.release.answers_behind import AnswersBehind, answers_behind
from annotation.gold.release.datasheet import DatasheetFacts, datasheet
from annotation.gold.release.described import described
from annotation.gold.release.files import WrittenFile, file_chunks, plan_files, write_file
from annotation.gold.release.metadata import citation, croissant
from annotation.gold.release.missing_rows import missing_rows
from annotation.gold.release.row_spool import DIGESTS, RowSpool, SplitDigest, consistent_read, count_changes
from annotation.gold.release.rows import release_rows, with_concepts
from annotation.gold.release.settings import ReleaseFields, check_settings
from annotation.gold.release.withdrawn import WithdrawnPeople, refuse_strangers
from annotation.models import Guideline, Release, ReleaseFile, ReleaseRun
from corpora.actions.lock_study import lock_study
from corpora.models import Study
from corpora.splits import store_released
from foundation.errors import UserError
from foundation.options import option_named

Step = Callable[[int, int], None]
EVERY = 1000  # rows between two steps
COPY = "COPY annotation_releasepiece (file_id, number, data) FROM STDIN (FORMAT BINARY)"  # bytes as they are


def make_release(
    *,
    study: Study,
    settings: Mapping[str, Any],
    changes: str = "",
    by: Any = None,
    run: ReleaseRun | None = None,
    step: Step = lambda done, total: None,
) -> Release:
    """Make a release: its files on the disk first, then all of it in the database at once, or nothing.

    A `run` makes at most one release: where another worker was quicker, its release is returned. `step` hears how many
    rows and files are done, and may stop it.
    """
    asked = check_settings(study, settings)
    changes = option_named(ReleaseFields, "changes").check(changes)
    refuse_silence(study, changes)
    refuse_strangers(study, asked["withdrawn"])
    withdrawn = WithdrawnPeople(study, asked["withdrawn"])
    key = secrets.token_bytes(32)
    with ExitStack() as stack:
        spool, splits = _spooled(study, asked, key, step, withdrawn)
        stack.enter_context(closing(spool))
        files = _data_files(spool, asked, stack, step)
        with transaction.atomic():
            lock_study(study)
            earlier = _earlier_release(run)
            if earlier is None and splits.changed():
                raise UserError("The splits changed while the release was made; create it again.", where="splits")
            return earlier or _store_release(study, asked, changes, by, run, key, spool, files, stack, withdrawn)


def _spooled(
    study: Study, settings: Mapping[str, Any], key: bytes, step: Step, withdrawn: WithdrawnPeople
) -> tuple[RowSpool, SplitDigest]:
    """The rows as of one moment, so that work which comes in meanwhile is in the release whole or not at all."""
    spool = RowSpool()
    with consistent_read() as aside:
        splits = SplitDigest(study)
        for release_row in with_concepts(settings, withdrawn.without(release_rows(study, dict(settings), key))):
            spool.add(release_row)
            if len(spool) % EVERY == 0:
                aside(step, len(spool), 0)
    if not len(spool):
        spool.close()
        raise UserError("There is no gold to release yet.", where="campaigns")
    return spool, splits


def _data_files(spool: RowSpool, settings: Mapping[str, Any], stack: ExitStack, step: Step) -> list[WrittenFile]:
    plan = plan_files(spool, settings["forms"])
    files = []
    for number, (name, form, split, rows) in enumerate(plan):
        chunks = file_chunks(spool, name, form, split)
        file = write_file(name, form.media_type, rows, chunks, partial(step, number, len(plan)))
        stack.callback(file.file.close)
        files.append(file)
    return files


def _earlier_release(run: ReleaseRun | None) -> Release | None:
    if run is None:
        return None
    return ReleaseRun.objects.select_for_update(of=("self",)).select_related("release").get(pk=run.pk).release


def _store_release(
    study: Study,
    settings: dict[str, Any],
    changes: str,
    by: Any,
    run: ReleaseRun | None,
    key: bytes,
    spool: RowSpool,
    files: list[WrittenFile],
    stack: ExitStack,
    withdrawn: WithdrawnPeople,
) -> Release:
    before = study.releases.order_by("-number").first()
    refuse_silence(study, changes)
    number = before.number + 1 if before else 1
    behind = answers_behind(spool.answers)
    guidelines = _guidelines(behind)
    counts = _counts(study, settings, spool, before)
    if withdrawn.rows:
        counts["withdrawn"] = {"rows": withdrawn.rows, "people": len(withdrawn.people)}
    origins = list(study.imported_gold.order_by().values_list("origin", flat=True).distinct())
    facts = DatasheetFacts(study, number, settings, counts, guidelines, frozenset(spool.people), files, changes,
                  behind, origins if settings["from"] == "imported" else ())  # fmt: skip
    text = datasheet(facts)
    release = Release.objects.create(
        study=study, number=number, changes=changes, settings=settings, guidelines=guidelines, counts=counts,
        datasheet=text, license=study.license, key=key, digests=spool.digests.tobytes(), made_by=by,
    )  # fmt: skip
    said = [_text_file("DATASHEET.md", text, stack)]
    if guidelines:
        said.append(_text_file("GUIDELINES.md", _guidelines_text(guidelines), stack))
    told = described(release, [*files, *said])
    said.append(_file("croissant.json", "application/ld+json", croissant(told), stack))
    said.append(_file("CITATION.cff", "text/yaml; charset=utf-8", citation(told), stack))
    for file in [*files, *said]:
        _keep(release, file)
    store_released(study, number, {split: spool.held_keys(split) for split in spool.held})
    if run is not None:
        ReleaseRun.objects.filter(pk=run.pk).update(release=release)
    return release


def _counts(study: Study, settings: Mapping[str, Any], spool: RowSpool, before: Release | None) -> dict[str, Any]:
    counts: dict[str, Any] = {
        "rows": len(spool),
        "sources": spool.sources,
        "people": len(spool.people),
        "splits": {name: spool.count(1)[name] for name in ("train", "tune", "test")},
        "kinds": dict(sorted(spool.count(0).items())),
        "campaigns": {slug: rows for slug, rows in spool.count(2).items() if slug},
    }
    if before:
        earlier = np.frombuffer(bytes(before.digests), dtype=DIGESTS)
        counts["compared"] = count_changes(spool.digests, earlier)
        counts["missing"] = missing_rows(study, spool.digests, earlier, settings["campaigns"])
    return counts


def _guidelines(behind: AnswersBehind) -> list[dict[str, Any]]:
    """The guideline versions that the rows were made under, whole: campaigns may be changed after the release."""
    rows = Guideline.objects.filter(campaign__in={campaign for campaign, _ in behind.guidelines})
    guidelines = rows.select_related("campaign").order_by("campaign__made_at", "campaign", "version")
    return [
        {
            "campaign": guideline.campaign.slug,
            "name": guideline.campaign.name,
            "version": guideline.version,
            "text": guideline.text,
        }
        for guideline in guidelines
        if (guideline.campaign_id, guideline.version) in behind.guidelines
    ]


def _guidelines_text(guidelines: list[dict[str, Any]]) -> str:
    parts = (
        f"# {guideline['name']}, version {guideline['version']}\n\n{guideline['text'].strip()}\n"
        for guideline in guidelines
    )
    return "\n".join(parts)


def _text_file(name: str, text: str, stack: ExitStack) -> WrittenFile:
    return _file(name, "text/markdown; charset=utf-8", text.encode(), stack)


def _file(name: str, media_type: str, data: bytes, stack: ExitStack) -> WrittenFile:
    file = write_file(name, media_type, 0, [data], lambda: None)
    stack.callback(file.file.close)
    return file


def _keep(release: Release, file: WrittenFile) -> None:
    row = ReleaseFile.objects.create(
        release=release, name=file.name, media_type=file.media_type, size=file.size, rows=file.rows, sha256=file.sha256
    )
    with connection.cursor() as cursor, connection.wrap_database_errors, cursor.copy(COPY) as copy:
        copy.set_types(["int8", "int4", "bytea"])
        for number, piece in enumerate(file.pieces()):
            copy.write_row((row.pk, number, piece))

"""The job of a push or a pull. Run again it pushes the same files, of which equal ones change nothing."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.base import File
from django.db import transaction

from annotation.actions.start_gold_import import start_gold_import
from corpora.actions.keep_table import keep_table
from integrations.hugging_face.card import card_of
from integrations.hugging_face.client import Hub
from integrations.hugging_face.pulled import packed
from integrations.publishing.contents import Contents, contents_of
from integrations.publishing.models import Publication
from integrations.publishing.permitted import refuse_publication
from integrations.sealed import unseal
from integrations.zenodo.client import Zenodo
from integrations.zenodo.drafts import draft_of
from jobs.execution import JobResult, Progress
from jobs.models import Job

Step = Callable[[int, int], None]


def publish_for(job: Job, progress: Progress) -> JobResult:
    publication = Publication.objects.select_related("study", "release", "made_by").get(job=job)
    if publication.result:  # its worker was lost after the last commit
        return _told(publication)
    token = unseal(publication.access_token) if publication.access_token else ""
    with TemporaryDirectory(prefix="restyle-publication-") as folder:
        if publication.is_pulled:
            result = _pull(publication, token, Path(folder), progress.at)
        else:
            refuse_publication(publication.study, publication.get_service_display())
            contents = contents_of(publication, Path(folder), progress.at)
            push = _to_hub if publication.service == Publication.Service.HUGGING_FACE else _to_zenodo
            result = push(publication, token, contents, progress.at)
    publication.result, publication.access_token = result, ""
    publication.save(update_fields=["result", "access_token"])
    return _told(publication)


def _told(publication: Publication) -> JobResult:
    result = publication.result
    if publication.is_pulled:
        return JobResult(f"{result['files']:,} files of {publication.target} are here; look at their import.")
    doi = f" Its DOI is reserved: {result['doi']}." if result.get("doi") else ""
    return JobResult(f"{result['files']:,} files are at {result['url']}.{doi}")


def _to_hub(publication: Publication, token: str, contents: Contents, step: Step) -> dict[str, Any]:
    hub = Hub(token)
    card = contents.folder / "README.md"
    card.write_text(card_of(contents.described, contents.tables, terms=publication.study.terms))
    url, revision = hub.push(
        publication.target, contents.folder, private=publication.is_private, gated=bool(publication.study.terms),
        said=f"{contents.described.name}, by Restyle", step=step,
    )  # fmt: skip
    return {"url": url, "revision": revision, "files": sum(path.is_file() for path in contents.folder.rglob("*"))}


def _to_zenodo(publication: Publication, token: str, contents: Contents, step: Step) -> dict[str, Any]:
    zenodo = Zenodo(token, sandbox=publication.service == Publication.Service.ZENODO_SANDBOX)
    files = sorted(path for path in (contents.folder / "release").iterdir())
    return draft_of(zenodo, contents.described, files, step)


def _pull(publication: Publication, token: str, folder: Path, step: Step) -> dict[str, Any]:
    """The files as an import of gold, or as a table whose columns are to be named."""
    study, by = publication.study, publication.made_by
    revision = Hub(token).pull(publication.target, folder / "files", step)
    archive, count, is_gold = packed(folder / "files", folder / "pulled.zip")
    name = f"{publication.target.replace('/', '-')}.zip"
    with archive.open("rb") as stream, transaction.atomic():
        file: Any = File(stream, name=name)
        if is_gold:
            gold_import = start_gold_import(study=study, file=file, by=by)
            return {"files": count, "revision": revision, "gold_import": gold_import.pk}
        upload = keep_table(study=study, target="texts", file=file, by=by)
        return {"files": count, "revision": revision, "table": upload.pk}

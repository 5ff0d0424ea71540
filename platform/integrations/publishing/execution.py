"""The job of a push or a pull. Run again it pushes the same files, of which equal ones change nothing."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.db import transaction
from django.utils.translation import ngettext

from annotation.actions.start_gold_import import start_gold_import
from corpora.actions.keep_table import keep_table
from foundation.translation import translate
from integrations.hugging_face.card import card_of
from integrations.hugging_face.client import DATA_SET, MODEL, Hub
from integrations.hugging_face.model_card import model_card
from integrations.hugging_face.pulled import packed
from integrations.publishing.contents import Contents, contents_of
from integrations.publishing.model_contents import model_in
from integrations.publishing.models import Publication
from integrations.publishing.permitted import refuse_publication
from integrations.sealed import unseal
from integrations.zenodo.client import Zenodo
from integrations.zenodo.drafts import draft_of
from jobs.execution import JobResult, Progress
from jobs.models import Job
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.artifacts import scratch
from modelserving.training.checkpoint import zip_again

Step = Callable[[int, int], None]


def publish_for(job: Job, progress: Progress) -> JobResult:
    publication = Publication.objects.select_related("study", "release", "made_by").get(job=job)
    if publication.result:  # its worker was lost after the last commit
        return _told(publication)
    token = unseal(publication.access_token) if publication.access_token else ""
    is_model = publication.content == Publication.Content.MODEL
    with scratch() as folder:
        if publication.is_pulled:
            (_pull_model if is_model else _pull)(publication, token, folder, progress.at)
        else:
            refuse_publication(publication.study, publication.get_service_display())
            (_push_model if is_model else _push)(publication, token, folder, progress.at)
    return _told(publication)


def _keep(publication: Publication, **result: Any) -> None:
    publication.result, publication.access_token = result, ""
    publication.save(update_fields=["result", "access_token"])


def _told(publication: Publication) -> JobResult:
    result = publication.result
    if publication.is_pulled:
        if "checkpoint" in result:
            return JobResult(translate("The model {name} is here.", name=publication.target))
        said = ngettext("{n} file of {name} is here; look at its import.",
                        "{n} files of {name} are here; look at their import.", result["files"])  # fmt: skip
        return JobResult(said.format(n=f"{result['files']:,}", name=publication.target))
    said = ngettext("{n} file is at {url}.", "{n} files are at {url}.", result["files"])
    said = said.format(n=f"{result['files']:,}", url=result["url"])
    if result.get("doi"):
        said += " " + translate("Its DOI is reserved: {doi}.", doi=result["doi"])
    return JobResult(said)


def _push(publication: Publication, token: str, folder: Path, step: Step) -> None:
    contents = contents_of(publication, folder, step)
    terms = publication.study.terms
    if publication.service == Publication.Service.HUGGING_FACE:
        card = card_of(contents.described, contents.tables, terms=terms)
        _to_hub(publication, Hub(token, DATA_SET), folder, card, contents.described.name, bool(terms), step)
    else:
        _keep(publication, **_to_zenodo(publication, token, contents, step))


def _push_model(publication: Publication, token: str, folder: Path, step: Step) -> None:
    told = model_in(publication, folder)
    _to_hub(publication, Hub(token, MODEL), folder, model_card(told), told.name, bool(told.terms), step)


def _to_hub(
    publication: Publication, hub: Hub, folder: Path, card: str, name: str, gated: bool, step: Step
) -> None:  # fmt: skip
    (folder / "README.md").write_text(card, encoding="utf-8")
    url, revision = hub.push(
        publication.target, folder, private=publication.is_private, gated=gated, said=f"{name}, by Restyle", step=step,
    )  # fmt: skip
    _keep(publication, url=url, revision=revision, files=sum(path.is_file() for path in folder.rglob("*")))


def _to_zenodo(publication: Publication, token: str, contents: Contents, step: Step) -> dict[str, Any]:
    zenodo = Zenodo(token, sandbox=publication.service == Publication.Service.ZENODO_SANDBOX)
    files = sorted(path for path in (contents.folder / "release").iterdir())
    return draft_of(zenodo, contents.described, files, step)


def _pull_model(publication: Publication, token: str, folder: Path, step: Step) -> None:
    """The files as a checkpoint; whatever an imported one is refused for, they are."""
    revision = Hub(token, MODEL).pull(publication.target, folder / "files", step)
    zip_again(folder / "files", folder / "pulled.zip")
    with (folder / "pulled.zip").open("rb") as stream, transaction.atomic():
        file: Any = File(stream, name=publication.target)
        made = import_checkpoint(study=publication.study, file=file, by=publication.made_by)
        _keep(publication, files=len(made.manifest["files"]), revision=revision, checkpoint=made.pk)


def _pull(publication: Publication, token: str, folder: Path, step: Step) -> None:
    """The files as an import of gold, or as a table whose columns are to be named."""
    study, by = publication.study, publication.made_by
    revision = Hub(token).pull(publication.target, folder / "files", step)
    archive, count, is_gold = packed(folder / "files", folder / "pulled.zip")
    name = f"{publication.target.replace('/', '-')}.zip"
    with archive.open("rb") as stream, transaction.atomic():
        file: Any = File(stream, name=name)
        if is_gold:
            made = {"gold_import": start_gold_import(study=study, file=file, by=by).pk}
        else:
            made = {"table": keep_table(study=study, target="texts", file=file, by=by).pk}
        _keep(publication, files=count, revision=revision, **made)

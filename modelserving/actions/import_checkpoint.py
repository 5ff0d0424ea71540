from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from django.core.files.base import File
from django.core.files.storage import default_storage
from django.db import transaction
from django.utils import timezone

from accounts.audit import audited
from corpora.models import Study
from foundation.confined import Confined
from foundation.errors import UserError
from foundation.options import option, option_named, validate_options
from modelserving.artifacts import digest_of, fresh_name
from modelserving.models import Checkpoint
from modelserving.training.checkpoint import ENDING, Manifest, verify
from modelserving.transfer import TRANSFERS


@dataclass(frozen=True)
class CheckpointFields:
    """The fields that `import_checkpoint` takes beside the file."""

    name: str = option("", "Left empty, the file's own name.", label="Name", characters=100, clean=str.strip)


@audited
@transaction.atomic
def import_checkpoint(*, study: Study, file: "File[Any]", name: str = "", by: Any) -> Checkpoint:
    """Take a checkpoint from elsewhere into the study; a UserError says why a file is refused.

    Everything is checked that needs no run of the model: form, sizes, digests, tensors, the model and its options.
    """
    shown = Path(file.name or "the file").name[:100]
    stream = cast(IO[bytes], file.file)
    with Confined(shown) as process:
        manifest = process.call(verify, stream, shown)
    _check_known(manifest, shown)
    name = option_named(CheckpointFields, "name").check(name)
    stream.seek(0)
    sha256, size = digest_of(stream), file.size
    if study.checkpoints.filter(sha256=sha256).exists():
        raise UserError("The study already has this checkpoint.", where=shown)
    stream.seek(0)
    stored = default_storage.save(fresh_name("checkpoints", "imported", ending=ENDING), file)
    return Checkpoint.objects.create(
        study=study, kind=Checkpoint.Kind.IMPORTED, model=manifest.model, name=name or _named(manifest, shown),
        file=stored, sha256=sha256, size=size, manifest=manifest.plain(), made_by=by, made_at=timezone.now(),
    )  # fmt: skip


def _check_known(manifest: Manifest, where: str) -> None:
    """Raise a UserError where there is no model of that name, it is not a trained kind, or it has other options."""
    try:
        kind = TRANSFERS[manifest.model]
        validate_options(kind.Options, manifest.options)
    except UserError as error:
        raise UserError(str(error), where=where) from None
    if kind.needs == "nothing":
        raise UserError("{label} needs no training, so it has no checkpoints.", label=kind.label, where=where)
    refused = [pair for pair in manifest.directions if not kind.serves(*pair)]
    if refused:
        raise UserError(kind.refuse(*refused[0]).sentence, where=where)


def _named(manifest: Manifest, file: str) -> str:
    named = manifest.trained.get("name")
    return named[:100] if isinstance(named, str) and named.strip() else file

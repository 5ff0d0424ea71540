"""Files of models on their way out, piece by piece."""

import re

from django.http import StreamingHttpResponse

from foundation.downloads import as_attachment
from modelserving.artifacts.storage import stored_chunks
from modelserving.models import Checkpoint, TransferRun

ODD = re.compile(r"[^A-Za-z0-9._-]+")


def checkpoint_download(checkpoint: Checkpoint) -> StreamingHttpResponse:
    """A checkpoint as a download; its digest says to the receiver whether it came whole."""
    name = ODD.sub("-", f"{checkpoint.study.slug}-{checkpoint.name}").strip("-")
    headers = as_attachment(f"{name}.zip", checkpoint.size, checkpoint.sha256)
    return StreamingHttpResponse(stored_chunks(checkpoint.file.name), content_type="application/zip", headers=headers)


def result_download(run: TransferRun) -> StreamingHttpResponse:
    """What a run made of an uploaded file, as a download."""
    stem = ODD.sub("-", run.file_name.rpartition(".")[0] or run.file_name)
    headers = as_attachment(f"{stem}.{run.model}.txt")
    return StreamingHttpResponse(
        stored_chunks(run.result.name), content_type="text/plain; charset=utf-8", headers=headers
    )

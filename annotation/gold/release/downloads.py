"""Files of releases on their way out, held to their checksums."""

import hashlib
import logging
from collections.abc import Iterator

from django.http import StreamingHttpResponse

from annotation.gold.release.settings import gold_formats
from annotation.models import Release, ReleaseFile, ReleasePiece
from corpora.models import Study
from foundation.downloads import as_attachment
from foundation.errors import UserError
from foundation.translation import translate
from jobs.execution import JobResult

logger = logging.getLogger(__name__)


def release_of(study: Study, number: int) -> Release | None:
    """A release with its files, without the large fields."""
    rows = study.releases.defer("digests", "key").prefetch_related("files")
    return rows.filter(number=number).first()


def release_download(release: Release, file: ReleaseFile) -> StreamingHttpResponse:
    """The file as a download. The last piece leaves only once the whole matches its checksum."""
    headers = as_attachment(f"{release.study.slug}-{release.number}-{file.name}", file.size, file.sha256)
    return StreamingHttpResponse(checked_pieces(file), content_type=file.media_type, headers=headers)


def checked_pieces(file: ReleaseFile) -> Iterator[bytes]:
    """The pieces in order, one in memory at a time; a UserError in place of the last where the checksum is another."""
    digest, previous = hashlib.sha256(), b""
    for piece in _pieces(file):
        if previous:
            yield previous
        digest.update(piece)
        previous = piece
    if digest.hexdigest() != file.sha256:
        logger.error("%s of %s is not what its checksum says.", file.name, file.release)
        raise UserError("The file in the database does not match its checksum.", where=file.name)
    yield previous


def _pieces(file: ReleaseFile) -> Iterator[bytes]:
    count = ReleasePiece.objects.filter(file=file).count()
    for number in range(count):
        yield bytes(ReleasePiece.objects.values_list("data", flat=True).get(file=file, number=number))


def broken_files(release: Release) -> list[str]:
    """The names of the files that differ from their checksums and sizes."""
    return [file.name for file in release.files.all() if not _whole(file)]


def _whole(file: ReleaseFile) -> bool:
    digest, size = hashlib.sha256(), 0
    for piece in _pieces(file):
        digest.update(piece)
        size += len(piece)
    return (digest.hexdigest(), size) == (file.sha256, file.size)


def release_summary(release: Release) -> JobResult:
    counts = release.counts
    files = release.files.filter(rows__gt=0)
    said = translate(
        "Release {n}, with rows: {rows}; sources: {sources}; files: {files}.", n=release.number,
        rows=f"{counts['rows']:,}", sources=f"{counts['sources']:,}", files=files.count(),
    )  # fmt: skip
    known, kinds = gold_formats(), set(counts.get("kinds", ()))
    empty = [
        known[name].title
        for name in release.settings.get("forms", ())
        if name in known and not any(map(known[name].holds, kinds))
    ]
    return JobResult(
        said, translate("Nothing of it could be written as {forms}.", forms=", ".join(empty)) if empty else ""
    )

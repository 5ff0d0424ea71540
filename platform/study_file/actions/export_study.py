from collections.abc import Iterator
from typing import Any

from accounts.audit import audited_as
from accounts.models import AuditEntry
from corpora.models import Study
from corpora.text_files.zip_stream import zip_stream
from study_file.study_archive import ArchiveContents


@audited_as(AuditEntry.Kind.EXPORT)
def export_study(*, study: Study, by: Any = None) -> Iterator[bytes]:
    """The study as one ZIP file, chunk by chunk, which `apply_study` brings back with the same figures."""
    return zip_stream(ArchiveContents(study).files())

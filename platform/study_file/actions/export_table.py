from collections.abc import Iterator
from typing import Any

from accounts.audit import audited_as
from accounts.models import AuditEntry
from corpora.models import Study
from study_file.study_archive import written_table


@audited_as(AuditEntry.Kind.EXPORT)
def export_table(*, study: Study, file: str, form: str = "csv", by: Any = None) -> Iterator[bytes]:
    """The sources, references, outputs or judgements of a study as one table, chunk by chunk."""
    return written_table(study, file, form)

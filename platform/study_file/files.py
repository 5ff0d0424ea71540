"""A study, or a table of it, as a file that a browser stores."""

from typing import Any

from django.http import StreamingHttpResponse

from corpora.models import Study
from foundation.downloads import as_attachment
from study_file.actions.export_study import export_study
from study_file.actions.export_table import export_table
from study_file.study_archive import WRITERS


def study_as_file(study: Study, by: Any, file: str = "", form: str = "csv") -> StreamingHttpResponse:
    """A streamed archive, or one table of the study, that a browser stores."""
    if file:
        chunks = export_table(study=study, file=file, form=form, by=by)
        headers = as_attachment(f"{study.slug}-{file}.{form}")
        return StreamingHttpResponse(chunks, content_type=WRITERS[form][1], headers=headers)
    headers = as_attachment(f"{study.slug}.zip")
    return StreamingHttpResponse(export_study(study=study, by=by), content_type="application/zip", headers=headers)

"""Answers that a browser stores: gold, and raw answers."""

from typing import Any

from django.http import StreamingHttpResponse

from annotation.actions.export_answers import export_answers
from annotation.answer_export import EXPORT_FORMATS, file_name
from annotation.gold.rewrites import REWRITE_FORMATS, export_rewrites
from annotation.models import Campaign
from corpora.models import Study
from foundation.downloads import as_attachment


def file_of(study: Study, form: str) -> StreamingHttpResponse:
    """A streamed answer that a browser stores. UserError where the form cannot hold the rewrites."""
    kind = REWRITE_FORMATS.get(form)
    chunks = export_rewrites(study, form)
    assert kind is not None
    headers = as_attachment(f"{study.slug}-gold{kind.suffix}")
    return StreamingHttpResponse(chunks, content_type=kind.media_type, headers=headers)


def answers_as_file(
    study: Study, options: dict[str, Any], by: Any, campaign: Campaign | None = None
) -> StreamingHttpResponse:
    """A streamed answer that a browser stores; a UserError where an option is wrong."""
    asked, chunks = export_answers(study=study, campaign=campaign, options=options, by=by)
    slug = f"{study.slug}-{campaign.slug}" if campaign else study.slug
    headers = as_attachment(file_name(slug, asked.format))
    return StreamingHttpResponse(chunks, content_type=EXPORT_FORMATS[asked.format].media_type, headers=headers)

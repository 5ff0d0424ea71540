from collections.abc import Iterator, Mapping
from typing import Any

from accounts.audit import audited_as
from accounts.models import TrailEntry
from annotation.answer_export import EXPORT_FORMATS, ExportOptions, export_options
from annotation.answer_export.answer_content import AnswerReader
from annotation.answer_export.formats import AnswerExport
from annotation.answer_export.quality_flags import flags_of
from annotation.answer_export.text_origins import TextOrigins
from annotation.models import Campaign
from annotation.pseudonyms import pseudonyms, site_pseudonyms
from corpora.models import Study


@audited_as(TrailEntry.Kind.EXPORT)
def export_answers(
    *, study: Study, options: Mapping[str, Any], campaign: Campaign | None = None, by: Any = None
) -> tuple[ExportOptions, Iterator[bytes]]:
    """What was answered in a campaign, or in all of a study, as a stream; the trail keeps that somebody took it.

    The stream is begun by who sends it: it reads on a cursor of its own, outside the transaction of the trail.
    """
    asked = export_options(options, EXPORT_FORMATS)
    campaigns = [campaign] if campaign else list(study.campaigns.order_by("made_at", "pk"))
    names = pseudonyms(study) if asked.names == "export" else site_pseudonyms(study)
    origins = TextOrigins(study)
    readers = [AnswerReader(campaign, origins) for campaign in campaigns]
    export = AnswerExport(readers, asked.which, names, flags_of if asked.flags else lambda _campaign: {})
    return asked, EXPORT_FORMATS[asked.form].chunks(export)

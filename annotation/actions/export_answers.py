from collections.abc import Iterator, Mapping
from typing import Any

from accounts.models import TrailEntry
from accounts.trail import recorded_as
from annotation.gold.pseudonyms import pseudonyms, site_pseudonyms
from annotation.models import Campaign
from annotation.raw import FORMS, Asked, asked_of
from annotation.raw.flags import flags_of
from annotation.raw.forms import Export
from annotation.raw.telling import Teller
from annotation.raw.whose import Whose
from corpora.models import Study


@recorded_as(TrailEntry.Kind.EXPORT)
def export_answers(
    *, study: Study, options: Mapping[str, Any], campaign: Campaign | None = None, by: Any = None
) -> tuple[Asked, Iterator[bytes]]:
    """What was answered in a campaign, or in all of a study, as a stream; the trail keeps that somebody took it.

    The stream is begun by who sends it: it reads on a cursor of its own, outside the transaction of the trail.
    """
    asked = asked_of(options, FORMS)
    found = [campaign] if campaign else list(study.campaigns.order_by("made_at", "pk"))
    names = pseudonyms(study) if asked.names == "export" else site_pseudonyms(study)
    whose = Whose(study)
    tellers = [Teller(one, whose) for one in found]
    export = Export(tellers, asked.which, names, flags_of if asked.flags else lambda _campaign: {})
    return asked, FORMS[asked.form].chunks(export)

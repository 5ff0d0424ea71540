"""Marks that a campaign of spans shows its annotators as suggestions: those of another campaign, or imported ones.

A drawn share of the items shows none, so that the report can say how far people follow what they are shown. Which items
these are stands in their contents, and reaches no browser.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import orjson
from django.dispatch import Signal

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from annotation.task_types import ItemContent
from annotation.task_types.spans import PREFILL, Spans
from corpora.database import stream_rows
from corpora.models import Study
from foundation.errors import UserError
from foundation.seeds import generator
from foundation.text_keys import text_key

Marks = list[dict[str, Any]]
ByText = Mapping[tuple[int, str], Marks]
"""Marks by sentence and key of the text."""

imported_marks_wanted = Signal()
"""Sent with `study` and the name of a `rater`; a receiver returns the rater's imported marks as `ByText`."""

ANSWERED = (
    EFFECTIVE_ANNOTATIONS
    + """
SELECT DISTINCT ON (i.number) i.sentence_id, i.content -> 'candidates' ->> 0, effective.content
FROM effective JOIN annotation_item i ON i.id = effective.item_id
ORDER BY i.number, effective.submitted_at, effective.id
"""
)


def with_suggestions(campaign: Campaign, kind: Spans, built: Iterable[ItemContent]) -> Iterator[ItemContent]:
    """The contents with the suggested marks of their texts, where there are some for the text."""
    name = str(campaign.settings.get(PREFILL, ""))
    marks = _marks(campaign, name) if name else {}
    for one in built:
        given = marks.get((one.key, text_key(one.content["candidates"][0])))
        if given is not None:
            drawn = generator(campaign.seed, PREFILL, one.key, one.part).random() * 100
            shown = bool(drawn >= campaign.settings["empty_share"])
            one = one._replace(content=kind.suggested(one.content, campaign.settings, given, shown))
        yield one


def _marks(campaign: Campaign, name: str) -> ByText:
    study: Study = campaign.study
    if other := study.campaigns.filter(slug=name, task_type="spans").first():
        rows = stream_rows(ANSWERED, {"campaigns": [other.pk]})
        found: ByText = {(key, text_key(text)): orjson.loads(said)["marks"] for key, text, said in rows}
    else:
        given: Any = imported_marks_wanted.send(Campaign, study=study, rater=name)
        found = next((marks for _, marks in given if marks), {})
    if not found:
        raise UserError(
            "No marks are called '{name}': name a campaign of this study that marks spans and has answers, or a rater "
            "whose marks were imported.", name=name[:60], where=PREFILL,
        )  # fmt: skip
    return found

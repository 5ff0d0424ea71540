"""Frequencies of each kind of edit or error (GYAFC sections 3.2 and 6.4): percent of texts, by system for outputs.

Where several people labelled a text, each counts for their share of it. The same text by two systems was labelled
once and counts for both.
"""

from typing import NamedTuple

from django.db import connection

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from corpora.models import System

# Goes on after EFFECTIVE_ANNOTATIONS.
TEXTS = """
, texts AS (
    SELECT i.id, i.sentence_id, i.content ->> 'text' AS text, effective.content AS answer,
           1.0 / count(*) OVER (PARTITION BY i.id) AS share
    FROM effective JOIN annotation_item i ON i.id = effective.item_id
), columns AS (
    SELECT 0 AS system, t.* FROM texts t
    UNION ALL
    SELECT o.system_id, t.* FROM texts t
    JOIN corpora_output o ON o.sentence_id = t.sentence_id AND btrim(o.text, E' \\t\\n\\r') = t.text
    WHERE %(by_system)s
), labels AS (
    SELECT system, label, sum(share) AS seen FROM columns,
    LATERAL jsonb_array_elements_text(
        CASE WHEN (answer ->> 'none')::boolean THEN '[""]'::jsonb ELSE answer -> 'labels' END
    ) AS label GROUP BY system, label
)
SELECT c.system, c.count, l.label, l.seen
FROM (SELECT system, count(DISTINCT id) AS count FROM columns GROUP BY system) c
LEFT JOIN labels l ON l.system = c.system
"""


class LabelCounts(NamedTuple):
    """`columns` are (name, texts): all texts (name ""), then each system. `rows` are (label, a number a column): the
    percentage of the texts that show it; where people differ, a text counts in part.

    The last row, with the label "", counts the texts that show none.
    """

    columns: list[tuple[str, int]]
    rows: list[tuple[str, list[float]]]


def label_counts(campaign: Campaign) -> LabelCounts | None:
    """The frequencies in a campaign that labels; None for other campaigns, and while nothing is labelled."""
    if campaign.task_type != "label":
        return None
    by_system = campaign.settings["of"] == "outputs"
    with connection.cursor() as cursor:
        cursor.execute(EFFECTIVE_ANNOTATIONS + TEXTS, {"campaigns": [campaign.pk], "by_system": by_system})
        counted = cursor.fetchall()
    if not counted:
        return None
    texts = {system: count for system, count, _, _ in counted}
    seen = {(system, label): float(count) for system, _, label, count in counted if label is not None}
    names = dict(System.objects.filter(pk__in=texts).values_list("pk", "name"))
    order = sorted(texts, key=lambda system: (system != 0, names.get(system, "")))
    rows = [
        (label, [100 * seen.get((system, label), 0.0) / texts[system] for system in order])
        for label in [*campaign.settings["labels"], ""]
    ]
    return LabelCounts([(names.get(system, ""), texts[system]) for system in order], rows)

"""Frequencies of each kind of edit or error (GYAFC sections 3.2 and 6.4): percent of texts, by system for outputs.

A text shows a kind where it has the label, or a mark of the kind (of the severity, where marks have no kind).
Where several people labelled a text, each counts for their share of it. The same text by two systems was labelled
once and counts for both.
"""

from typing import NamedTuple

from django.db import connection

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from annotation.span_taxonomies import TAXONOMIES
from corpora.models import System

# The text of an item, and the labels of an answer as rows; [""] where it shows none.
OF_LABELS = (
    "i.content ->> 'text'",
    """jsonb_array_elements_text(
        CASE WHEN (answer ->> 'none')::boolean THEN '[""]'::jsonb ELSE answer -> 'labels' END
    )""",
)
OF_MARKS = (
    "i.content -> 'candidates' ->> 0",
    """(SELECT DISTINCT coalesce(nullif(mark ->> 'kind', ''), mark ->> 'severity', '')
        FROM jsonb_array_elements(
            CASE WHEN answer -> 'marks' = '[]'::jsonb THEN '[{}]'::jsonb ELSE answer -> 'marks' END
        ) AS mark)""",
)
# Goes on after EFFECTIVE_ANNOTATIONS.
TEXTS = """
, texts AS (
    SELECT i.id, i.sentence_id, {text} AS text, effective.content AS answer,
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
    LATERAL {labels} AS found(label) GROUP BY system, label
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
    """The frequencies in a campaign that labels or marks; None for other campaigns, and while nothing is answered."""
    if campaign.task_type not in ("label", "spans"):
        return None
    marks = campaign.task_type == "spans"
    by_system = marks or campaign.settings["of"] == "outputs"
    text, found = OF_MARKS if marks else OF_LABELS
    with connection.cursor() as cursor:
        texts_sql = TEXTS.format(text=text, labels=found)
        cursor.execute(EFFECTIVE_ANNOTATIONS + texts_sql, {"campaigns": [campaign.pk], "by_system": by_system})
        counted = cursor.fetchall()
    if not counted:
        return None
    texts = {system: count for system, count, _, _ in counted}
    seen = {(system, label): float(count) for system, _, label, count in counted if label is not None}
    names = dict(System.objects.filter(pk__in=texts).values_list("pk", "name"))
    order = sorted(texts, key=lambda system: (system != 0, names.get(system, "")))
    rows = [
        (label, [100 * seen.get((system, label), 0.0) / texts[system] for system in order])
        for label in [*(_names_of_marks(campaign) if marks else campaign.settings["labels"]), ""]
        if not marks or any(name == label for _, name in seen)
    ]
    return LabelCounts([(names.get(system, ""), texts[system]) for system in order], rows)


def _names_of_marks(campaign: Campaign) -> list[str]:
    """The kinds of a campaign's marks, else their severities; those that nobody gave have no row."""
    taxonomy = TAXONOMIES[campaign.settings["taxonomy"]]
    kinds = campaign.settings["kinds"] or [kind.name for kind in taxonomy.kinds]
    return kinds or [severity.name for severity in taxonomy.severities]

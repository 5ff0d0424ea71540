"""How long a judged text took each worker: the time of an answer, shared evenly among its texts."""

from collections.abc import Mapping

from django.db import connection

from annotation.effective_annotations.annotations import EFFECTIVE_ANNOTATIONS, SECONDS
from corpora.models import Study

ELSEWHERE = """
SELECT j.worker, percentile_cont(0.5) WITHIN GROUP (ORDER BY j.seconds)
FROM evaluation_judgement j JOIN evaluation_ratingsimport m ON m.id = j.ratings_import_id
WHERE m.study_id = %(study)s AND j.seconds IS NOT NULL GROUP BY j.worker
"""
IN_CAMPAIGNS = (
    EFFECTIVE_ANNOTATIONS
    + f"""
SELECT p.pseudonym::text, percentile_cont(0.5) WITHIN GROUP (
    ORDER BY {SECONDS} / CASE WHEN jsonb_typeof(i.content -> 'candidates') = 'array'
                                     THEN nullif(jsonb_array_length(i.content -> 'candidates'), 0) END)
FROM effective JOIN annotation_item i ON i.id = effective.item_id JOIN accounts_person p ON p.id = effective.person_id
WHERE effective.seconds > 0 GROUP BY p.pseudonym
"""  # noqa: S608 (all parts stand in this program)
)


def median_seconds(study: Study) -> Mapping[str, float]:
    """The median seconds a text by worker, of judgements from elsewhere and of the study's own campaigns."""
    seconds: dict[str, float] = {}
    with connection.cursor() as cursor:
        cursor.execute(ELSEWHERE, {"study": study.pk})
        seconds.update(cursor.fetchall())
        if campaigns := list(study.campaigns.values_list("pk", flat=True)):
            cursor.execute(IN_CAMPAIGNS, {"campaigns": campaigns})
            seconds.update(row for row in cursor.fetchall() if row[1] is not None)
    return seconds

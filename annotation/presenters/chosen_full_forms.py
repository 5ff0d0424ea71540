"""The full forms that a person chose for abbreviations before, to be offered to them again; nobody else's."""

from typing import Any

from django.db import connection

from annotation.models import Assignment

MOST = 3  # forms offered for one abbreviation
NEWEST = 2_000  # answers that are looked through
# Of each answer the newest revision. A mark's places count characters, as `substr` does.
CHOSEN = """
WITH own AS (
    SELECT a.content, a.submitted_at, i.content ->> 'source' AS source
    FROM annotation_answer a
    JOIN annotation_campaign c ON c.id = a.campaign_id
    JOIN annotation_item i ON i.id = a.item_id
    WHERE a.person_id = %(person)s AND c.study_id = %(study)s AND c.task_type = 'rephrase_simplify'
      AND a.outcome = 'answered' AND NOT EXISTS (
          SELECT 1 FROM annotation_answer newer WHERE newer.item_id = a.item_id AND newer.person_id = a.person_id
          AND newer.pilot = a.pilot AND newer.revision > a.revision)
    ORDER BY a.submitted_at DESC LIMIT %(newest)s
), chosen AS (
    SELECT substr(own.source, (span ->> 'start')::int + 1, (span ->> 'end')::int - (span ->> 'start')::int) AS term,
           span ->> 'full' AS full_form, own.submitted_at
    FROM own, jsonb_array_elements(own.content -> 'spans') span
)
SELECT term, full_form FROM chosen WHERE strpos(%(source)s, term) > 0
GROUP BY term, full_form ORDER BY count(*) DESC, max(submitted_at) DESC, full_form
"""


def chosen_full_forms(assignment: Assignment, person: Any) -> dict[str, list[str]]:
    """By each abbreviation of the item's source the forms that `person` chose for it in this study, the usual first.

    Empty where the campaign does not remember them (`remember_forms`). One statement.
    """
    campaign, content = assignment.campaign, assignment.item.content
    source = content.get("source")
    if not source or not campaign.settings.get("remember_forms", campaign.task_type == "rephrase_simplify"):
        return {}
    asked = {"person": person.pk, "study": campaign.study_id, "source": source, "newest": NEWEST}
    forms: dict[str, list[str]] = {}
    with connection.cursor() as cursor:
        for term, full_form in cursor.execute(CHOSEN, asked).fetchall():
            offered = forms.setdefault(term, [])
            if len(offered) < MOST:
                offered.append(full_form)
    return forms

"""The verdict of a campaign's eligibility rules on the person in a context, asked in at most one statement."""

from typing import Any

import orjson

from accounts.database.prepared_statements import fetch_one
from annotation.annotator_pool import EligibilityRecord, unmet
from annotation.campaigns.items import topic_key
from annotation.engine.annotator_context import AnnotatorContext

# Rules that the context and the person answer by themselves.
AT_HAND = frozenset({"quota", "per_day", "pause_after", "by_topic", "languages"})
KNOWN = """
SELECT array(SELECT name FROM accounts_credential WHERE person_id = %(person)s AND verified_at IS NOT NULL
             AND (expires_on IS NULL OR expires_on >= current_date)),
       (SELECT json_agg(json_build_array(c.slug, c.task_type, s.accepted, s.rejected,
                                        s.accepted_at_first, s.rejected_at_first, s.score, s.tries))::text
        FROM annotation_campaignmembership s JOIN annotation_campaign c ON c.id = s.campaign_id
        WHERE c.study_id = %(study)s AND s.person_id = %(person)s)
"""


def unmet_rules(context: AnnotatorContext) -> dict[str, str]:
    """The reasons that keep this person from going on, by the rule's name; empty where there is none."""
    record = _record(context)
    said = {name: unmet({name: value}, record) for name, value in context.eligibility.items()}
    return {name: sentences[0] for name, sentences in said.items() if sentences}


def topics_of(context: AnnotatorContext) -> list[str] | None:
    """The topics whose items this person may get; None for all."""
    return (
        [topic_key(topic) for topic in context.person.topics]
        if context.eligibility and context.eligibility.get("by_topic")
        else None
    )


def _record(context: AnnotatorContext) -> EligibilityRecord:
    own: dict[str, Any] = {
        "languages": frozenset(context.person.languages),
        "topics": frozenset(context.person.topics),
        "done": context.done,
        "today": context.today,
    }
    if context.eligibility.keys() <= AT_HAND:
        return EligibilityRecord(**own)
    row = fetch_one(KNOWN, {"person": context.person.pk, "study": context.study.pk})
    credentials, memberships = row or ([], None)
    counts = orjson.loads(memberships) if memberships else []
    return EligibilityRecord(
        **own,
        credentials=frozenset(credentials),
        accepted={slug: count for slug, _kind, count, *_rest in counts},
        rejected={slug: count for slug, _kind, _accepted, count, *_rest in counts},
        accepted_at_first={row[0]: row[4] for row in counts},
        rejected_at_first={row[0]: row[5] for row in counts},
        alike=frozenset(slug for slug, kind, *_rest in counts if kind == context.task_type_name),
        qualifications={slug: (score, attempts) for slug, *_rest, score, attempts in counts},
    )

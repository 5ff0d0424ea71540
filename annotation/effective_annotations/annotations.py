"""The answers that count: of each person and item the highest revision, pilot apart, as the reviewers left them.

Late work counts once a reviewer accepted it. An answer whose newest verdict is rejected, returned or dropped does not
count, nor one that its author changed after a rejection until it is accepted, nor one that nobody accepted in a
campaign that needs review, nor any answer of an item that was dropped. Control items, trainings and qualifications
count nowhere.

Each answer has two readings. `content` is gold: where a reviewer fixed the answer, it is what they made of it. `said`
is what the person said, whatever a reviewer made of it: judgements and agreement are of that, since a correction that
counts as the rater's own makes raters agree who did not.
"""

OF_CAMPAIGNS = "a.campaign_id = ANY(%(campaigns)s)"
OF_ITEM = "a.item_id = %(item)s"

_EFFECTIVE_ANNOTATIONS = """
WITH verdicts AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict, r.content AS fixed,
           CASE WHEN r.verdict = 'fixed' THEN r.reviewer_id END AS fixer_id
    FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
    WHERE {of} ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), newest AS (
    SELECT DISTINCT ON (a.item_id, a.person_id) a.id, a.campaign_id, a.item_id, a.slot_id, a.person_id, a.revision,
           a.outcome, coalesce(v.fixed, a.content) AS content, a.content AS said, a.guideline_version, a.seconds,
           a.submitted_at, v.verdict, v.fixer_id
    FROM annotation_answer a LEFT JOIN verdicts v ON v.answer_id = a.id
    WHERE {of} AND NOT a.pilot AND (NOT a.late OR v.verdict IN ('accepted', 'fixed'))
    ORDER BY a.item_id, a.person_id, a.revision DESC
), judged AS (
    SELECT newest.*, s.number AS place, i.number AS item_number,
           CASE WHEN newest.outcome <> 'answered' THEN 'none'
                WHEN s.state = 4 THEN 'dropped'
                WHEN newest.verdict IN ('accepted', 'fixed') THEN 'standing'
                WHEN newest.verdict IS NOT NULL THEN newest.verdict
                WHEN c.needs_review THEN 'waiting'
                WHEN newest.revision > 1 AND 'rejected' = (
                    SELECT v.verdict FROM annotation_answer e JOIN verdicts v ON v.answer_id = e.id
                    WHERE e.item_id = newest.item_id AND e.person_id = newest.person_id AND NOT e.pilot AND NOT e.late
                    ORDER BY e.revision DESC LIMIT 1) THEN 'waiting'
                ELSE 'standing' END AS status
    FROM newest
    JOIN annotation_slot s ON s.id = newest.slot_id
    JOIN annotation_item i ON i.id = newest.item_id AND NOT i.control
    JOIN annotation_campaign c ON c.id = newest.campaign_id AND c.purpose = 'work'
), effective AS (
    -- Said by what it is not: of an equality the planner expects one row in two hundred, and then joins row by row.
    SELECT * FROM judged WHERE status NOT IN ('waiting', 'rejected', 'returned', 'dropped', 'none')
)
"""


def effective_annotations(of: str = OF_CAMPAIGNS) -> str:
    """The start of a query: the table `effective`, and `judged`, which has those that do not count too, by `status`."""
    return _EFFECTIVE_ANNOTATIONS.format(of=of)


# Wants %(campaigns)s, a list of keys. Gives the answers of every person to every item, as the table `effective`.
EFFECTIVE_ANNOTATIONS = effective_annotations()

# After EFFECTIVE_ANNOTATIONS: the active seconds of an answer, those of all its revisions together.
SECONDS = """
CASE WHEN effective.revision = 1 THEN effective.seconds ELSE (
    SELECT sum(e.seconds) FROM annotation_answer e
    WHERE e.item_id = effective.item_id AND e.person_id = effective.person_id AND NOT e.pilot) END
"""

# After EFFECTIVE_ANNOTATIONS: the same, and where the page counted none the seconds since the person's answer before,
# which are the most that it can have taken.
PACE = f"""
coalesce({SECONDS}, (
    SELECT extract(epoch FROM effective.submitted_at - max(e.submitted_at))::float8 FROM annotation_answer e
    WHERE e.campaign_id = effective.campaign_id AND e.person_id = effective.person_id
      AND e.submitted_at < effective.submitted_at))
"""  # noqa: S608 (all parts stand in this program)

# After EFFECTIVE_ANNOTATIONS: the rewrites that count, with their text. One that was handed on counts as the last word
# of those who verified it, and not before they have said it; what became of it in a further stage counts there.
COUNTED = """, handed_on AS MATERIALIZED (
    SELECT DISTINCT ON (i.parent_id) i.parent_id,
           CASE WHEN i.settled ->> 'verdict' = 'accepted'
                 AND i.settled -> 'products' -> 0 ->> 'kind' = 'rewrite'
                 AND NOT EXISTS (SELECT 1 FROM annotation_item n JOIN annotation_answer p ON p.id = n.parent_id
                                 JOIN annotation_campaign k ON k.id = n.campaign_id AND k.takes <> 'farthest'
                                 WHERE p.item_id = i.id AND NOT n.withdrawn)
                THEN i.settled -> 'products' -> 0 ->> 'text' END AS text
    FROM annotation_campaign c JOIN annotation_item i ON i.campaign_id = c.id AND NOT i.withdrawn
    WHERE c.after_id = ANY(%(campaigns)s) AND c.takes <> 'farthest'
    ORDER BY i.parent_id, text NULLS LAST
), counted AS (
    SELECT effective.*, coalesce(handed_on.text, effective.content ->> 'text') AS text
    FROM effective LEFT JOIN handed_on ON handed_on.parent_id = effective.id
    WHERE handed_on.parent_id IS NULL OR handed_on.text IS NOT NULL
)
"""

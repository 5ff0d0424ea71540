"""The answers that count: of each person and item the highest revision, pilot apart, as the reviewers left them.

Late work counts once a reviewer accepted it. An answer whose newest verdict is rejected, returned or dropped does not
count, nor does any answer of an item that was dropped.
"""

# Wants %(campaigns)s, a list of keys. Gives the answers of every person to every item, as the table `standing`.
STANDING = """
WITH verdicts AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict
    FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
    WHERE a.campaign_id = ANY(%(campaigns)s) ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), newest AS (
    SELECT DISTINCT ON (a.item_id, a.person_id) a.*, v.verdict
    FROM annotation_answer a LEFT JOIN verdicts v ON v.answer_id = a.id
    WHERE a.campaign_id = ANY(%(campaigns)s) AND NOT a.pilot AND (NOT a.late OR v.verdict = 'accepted')
    ORDER BY a.item_id, a.person_id, a.revision DESC
), standing AS (
    SELECT newest.* FROM newest JOIN annotation_slot s ON s.id = newest.slot_id
    WHERE newest.outcome = 'answered' AND s.state <> 4
      AND (newest.verdict IS NULL OR newest.verdict = 'accepted')
)
"""

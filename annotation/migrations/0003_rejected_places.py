"""What was rejected and not changed since is free for others; it was kept for its author alone."""

from django.db import migrations

FREE = """
WITH newest AS (
    SELECT DISTINCT ON (a.item_id, a.person_id, a.pilot) a.item_id, a.person_id, a.pilot, a.id
    FROM annotation_answer a WHERE NOT a.late AND a.outcome = 'answered'
    ORDER BY a.item_id, a.person_id, a.pilot, a.revision DESC
), rejected AS (
    SELECT newest.* FROM newest
    WHERE (SELECT r.verdict FROM annotation_review r WHERE r.answer_id = newest.id
           ORDER BY r.made_at DESC, r.id DESC LIMIT 1) = 'rejected'
)
UPDATE annotation_slot s SET state = 0, annotator_id = NULL, lease = NULL
FROM rejected, annotation_item i, annotation_campaign c
WHERE s.item_id = rejected.item_id AND s.annotator_id = rejected.person_id AND s.pilot = rejected.pilot AND s.state = 2
  AND i.id = s.item_id AND NOT i.control AND NOT i.withdrawn AND c.id = s.campaign_id AND c.purpose = 'work'
"""


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "It frees places as a reviewer's return does, which the old version knows."

    replaces = [("annotation", "0023_rejected_places")]
    dependencies = [("annotation", "0002_version_0_2")]
    operations = [migrations.RunSQL(FREE, migrations.RunSQL.noop)]

from django.db import migrations, models

# What was said of the first revision that was accepted or rejected, of all that was judged so far.
COUNT = """
WITH newest AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict FROM annotation_review r
    ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), first AS (
    SELECT DISTINCT ON (a.item_id, a.person_id, a.pilot) a.campaign_id, a.person_id, newest.verdict
    FROM newest JOIN annotation_answer a ON a.id = newest.answer_id
    WHERE a.outcome = 'answered' AND newest.verdict IN ('accepted', 'fixed', 'rejected')
    ORDER BY a.item_id, a.person_id, a.pilot, a.revision
), counted AS (
    SELECT campaign_id, person_id, count(*) FILTER (WHERE verdict <> 'rejected') AS accepted,
           count(*) FILTER (WHERE verdict = 'rejected') AS rejected
    FROM first GROUP BY campaign_id, person_id
)
UPDATE annotation_seat s SET accepted_at_first = counted.accepted, rejected_at_first = counted.rejected
FROM counted WHERE s.campaign_id = counted.campaign_id AND s.person_id = counted.person_id
"""


class Migration(migrations.Migration):
    dependencies = [("annotation", "0004_authors_of_items")]

    operations = [
        migrations.AddField(
            model_name="seat",
            name="accepted_at_first",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name="seat",
            name="rejected_at_first",
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.RunSQL(COUNT, migrations.RunSQL.noop),
    ]

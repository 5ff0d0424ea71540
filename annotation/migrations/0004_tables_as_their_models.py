from django.db import migrations

TABLES = {
    "annotation_slot": "assignment",
    "annotation_seat": "campaignmembership",
    "annotation_entrance": "recruitmentlink",
    "annotation_entrant": "crowdparticipant",
}
# What a new site has from the beginning, an upgraded one has by its old name.
INDEXES = {
    "slot_free": "assignment_free",
    "slot_leased": "assignment_leased",
    "slot_ahead": "assignment_ahead",
    "one_slot_a_number": "one_assignment_a_number",
    "one_slot_a_person": "one_assignment_a_person",
    "one_draft_a_slot_and_person": "one_draft_an_assignment_and_person",
    "one_seat_a_person": "one_campaign_membership_a_person",
    "one_entrant_an_id": "one_participant_an_id",
    "one_entrant_a_code": "one_participant_a_code",
}
RENAMED = [f"ALTER INDEX IF EXISTS {old} RENAME TO {new}" for old, new in INDEXES.items()]

# Under the old names the version before reads and writes the same rows. It copies assignments in, which PostgreSQL lets
# into a view by a trigger alone; of the columns that the copy leaves out, the view has the defaults.
VIEWS = "".join(f"CREATE VIEW {old} AS SELECT * FROM annotation_{model};\n" for old, model in TABLES.items()) + """
ALTER VIEW annotation_slot ALTER id SET DEFAULT nextval('annotation_slot_id_seq');
ALTER VIEW annotation_slot ALTER ahead SET DEFAULT false;
ALTER VIEW annotation_slot ALTER barred SET DEFAULT '{}';
ALTER VIEW annotation_slot ALTER topic SET DEFAULT '';
CREATE FUNCTION annotation_slot_copied() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO annotation_assignment VALUES (NEW.*);
    RETURN NEW;
END $$;
CREATE TRIGGER slot_copied INSTEAD OF INSERT ON annotation_slot
    FOR EACH ROW EXECUTE FUNCTION annotation_slot_copied();
"""
NO_VIEWS = f"DROP VIEW {', '.join(TABLES)}; DROP FUNCTION annotation_slot_copied();"


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "Views have the old names: the old version reads and writes the tables by them."

    dependencies = [("annotation", "0003_rejected_places")]

    operations = [
        *(migrations.AlterModelTable(model, None) for model in TABLES.values()),
        migrations.RunSQL(RENAMED, migrations.RunSQL.noop),
        migrations.RunSQL(VIEWS, NO_VIEWS),
    ]

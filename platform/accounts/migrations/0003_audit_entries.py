from django.db import migrations

RENAMED = """
ALTER INDEX IF EXISTS trail_of_study RENAME TO audit_of_study;
ALTER INDEX IF EXISTS trail_at RENAME TO audit_at;
ALTER FUNCTION accounts_trail_stays RENAME TO accounts_audit_stays;
ALTER FUNCTION accounts_trail_forgets RENAME TO accounts_audit_forgets;
ALTER TRIGGER trail_stays ON accounts_auditentry RENAME TO audit_stays;
ALTER TRIGGER trail_forgets ON accounts_auditentry RENAME TO audit_forgets;
ALTER TRIGGER trail_whole ON accounts_auditentry RENAME TO audit_whole;
CREATE VIEW accounts_trailentry AS SELECT * FROM accounts_auditentry;
"""


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "A view has the old name: the old version reads and writes the table by it."

    dependencies = [("accounts", "0002_version_0_2")]

    operations = [migrations.AlterModelTable("auditentry", None), migrations.RunSQL(RENAMED)]

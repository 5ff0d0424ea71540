from django.db import migrations

RENAMED = "ALTER INDEX IF EXISTS one_score_a_foil_and_metric RENAME TO one_score_a_baseline_and_metric"
VIEW = "CREATE VIEW evaluation_foilscore AS SELECT * FROM evaluation_baselinescore"


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "A view has the old name: the old version reads and writes the table by it."

    dependencies = [("evaluation", "0002_version_0_2")]

    operations = [
        migrations.AlterModelTable("baselinescore", None),
        migrations.RunSQL(RENAMED, migrations.RunSQL.noop),
        migrations.RunSQL(VIEW, "DROP VIEW evaluation_foilscore"),
    ]

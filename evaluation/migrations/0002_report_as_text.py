from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0001_initial")]

    operations = [
        migrations.RunSQL("DELETE FROM evaluation_report", migrations.RunSQL.noop),  # each is made again when asked for
        migrations.RemoveField("report", "job"),
        migrations.RemoveField("report", "content"),
        migrations.AddField("report", "text", models.TextField(default=""), preserve_default=False),
        migrations.AlterField("report", "made_at", models.DateTimeField()),
    ]

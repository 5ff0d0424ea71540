from django.db import migrations, models

HAD = "UPDATE annotation_campaign SET mixed = true WHERE control_every > 0"


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = (
        "It fills a column that the old version does not know."
    )

    dependencies = [("annotation", "0006_gold_in_and_back")]

    operations = [
        migrations.AddField(
            model_name="campaign",
            name="mixed",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.RunSQL(HAD, migrations.RunSQL.noop),
    ]

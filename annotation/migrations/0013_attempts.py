from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "Only the field's name in Python changes; the column stays as it is."

    dependencies = [("annotation", "0012_crowd_participants")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("CampaignMembership", "tries", "attempts"),
                migrations.AlterField(
                    "CampaignMembership",
                    "attempts",
                    models.PositiveSmallIntegerField(db_column="tries", db_default=0, default=0),
                ),
            ],
        ),
    ]

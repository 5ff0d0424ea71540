from django.db import migrations, models


class Migration(migrations.Migration):
    """The column keeps its name, which the version before reads."""

    dependencies = [("annotation", "0005_campaign_notes")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("campaign", "crew", "eligibility"),
                migrations.AlterField("campaign", "eligibility", models.JSONField(db_column="crew", default=dict)),
            ]
        )
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    """The column keeps its name, which the version before reads."""

    dependencies = [("evaluation", "0003_scores_of_baselines")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("humanstudy", "crew", "eligibility"),
                migrations.AlterField("humanstudy", "eligibility", models.JSONField(db_column="crew", default=dict)),
            ]
        )
    ]

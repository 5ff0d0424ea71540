from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0004_eligibility")]

    operations = [
        migrations.AlterField(
            model_name="publiclink",
            name="page",
            field=models.CharField(
                choices=[
                    ("report", "Whole report"),
                    ("leaderboard", "Leaderboard"),
                    ("trust", "Which metric to trust"),
                    ("release", "Release"),
                ],
                max_length=12,
            ),
        ),
    ]

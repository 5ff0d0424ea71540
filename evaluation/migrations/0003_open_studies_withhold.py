from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0002_judging")]

    operations = [
        migrations.AddField(
            model_name="humanstudy",
            name="shows_comparison",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name="humanstudy",
            name="excluded",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0008_language_decides_words")]

    operations = [
        migrations.AddField(
            model_name="reportchoice",
            name="averaging",
            field=models.CharField(db_default="sentence", default="sentence", max_length=10),
        ),
        migrations.AddField(
            model_name="reportchoice",
            name="joint",
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
    ]

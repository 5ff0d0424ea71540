from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("evaluation", "0004_report_split")]

    operations = [
        migrations.AddField(
            model_name="reportchoice",
            name="human_systems",
            field=models.BooleanField(db_default=False, default=False),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("jobs", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="job", name="told", field=models.TextField(blank=True, db_default="", default="")
        ),
        migrations.AddField(
            model_name="job", name="warning", field=models.TextField(blank=True, db_default="", default="")
        ),
    ]

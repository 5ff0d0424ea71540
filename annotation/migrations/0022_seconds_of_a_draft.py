from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("annotation", "0021_own_scales"),
    ]

    operations = [
        migrations.AddField(
            model_name="draft",
            name="seconds",
            field=models.FloatField(null=True),
        ),
    ]

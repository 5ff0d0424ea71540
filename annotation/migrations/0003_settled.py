from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("annotation", "0002_gold_data")]

    operations = [
        migrations.AddField(model_name="item", name="settled", field=models.JSONField(null=True)),
        migrations.AddField(
            model_name="item", name="withdrawn", field=models.BooleanField(db_default=False, default=False)
        ),
        migrations.AddIndex(
            model_name="item",
            index=models.Index(condition=Q(("control", True)), fields=["campaign"], name="item_control"),
        ),
    ]

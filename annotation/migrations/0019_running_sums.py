import django.contrib.postgres.fields
from django.db import migrations, models


class Migration(migrations.Migration):
    # Nothing is filled: where `summed_done` is empty or behind, the sums are made when they are needed next. So they are
    # right, too, after the old version has written answers meanwhile.

    dependencies = [
        ('annotation', '0018_leases_ahead'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaignmembership',
            name='recent_seconds',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), db_default=[], default=list, size=None),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='paid_seconds',
            field=models.FloatField(db_default=0.0, default=0.0),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='summed_done',
            field=models.PositiveIntegerField(null=True),
        ),
    ]

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('jobs', name) for name in (
        '0003_watched', '0004_preemption', '0005_job_after',
    )]

    dependencies = [
        ('jobs', '0001_version_0_1'),
    ]

    operations = [
        migrations.AddField(
            model_name='job',
            name='process',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.AddField(
            model_name='job',
            name='stop_reason',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='job',
            name='stopping_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='job',
            name='fruitless',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='job',
            name='furthest',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='job',
            name='after',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='followers', to='jobs.job'),
        ),
    ]

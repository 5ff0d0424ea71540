import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('jobs', name) for name in (
        '0001_initial', '0002_told',
    )]

    initial = True

    dependencies = [
        ('accounts', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='Job',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('task', models.CharField(max_length=100)),
                ('queue', models.CharField(max_length=20)),
                ('title', models.CharField(max_length=200)),
                ('study_slug', models.SlugField(max_length=80)),
                ('state', models.CharField(choices=[('queued', 'Queued'), ('running', 'Running'), ('done', 'Done'), ('failed', 'Failed'), ('cancelled', 'Cancelled')], default='queued', max_length=10)),
                ('done', models.PositiveIntegerField(default=0)),
                ('total', models.PositiveIntegerField(default=0)),
                ('log', models.TextField(blank=True)),
                ('error', models.TextField(blank=True)),
                ('holder', models.UUIDField(null=True)),
                ('attempts', models.PositiveSmallIntegerField(default=0)),
                ('cancel_requested', models.BooleanField(default=False)),
                ('heartbeat_at', models.DateTimeField(null=True)),
                ('queued_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(null=True)),
                ('ended_at', models.DateTimeField(null=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='jobs', to=settings.AUTH_USER_MODEL)),
                ('told', models.TextField(blank=True, db_default='', default='')),
                ('warning', models.TextField(blank=True, db_default='', default='')),
            ],
            options={
                'ordering': ['-made_at'],
                'indexes': [models.Index(condition=models.Q(('state__in', ['queued', 'running'])), fields=['heartbeat_at'], name='job_unfinished')],
            },
        ),
    ]

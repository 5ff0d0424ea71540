import django.contrib.postgres.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('modelserving', name) for name in (
        '0004_model_answers', '0005_answers_of_jobs', '0006_transferrun_training', '0007_notes_and_tags',
    )]

    dependencies = [
        ('corpora', '0002_version_0_2'),
        ('jobs', '0002_version_0_2'),
        ('modelserving', '0001_version_0_1'),
    ]

    operations = [
        migrations.AddField(
            model_name='transferrun',
            name='usage',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.CreateModel(
            name='ModelAnswer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('digest', models.CharField(max_length=64)),
                ('text', models.TextField(blank=True)),
                ('model', models.CharField(blank=True, max_length=200)),
                ('finish', models.CharField(blank=True, max_length=200)),
                ('input', models.PositiveIntegerField(default=0)),
                ('output', models.PositiveIntegerField(default=0)),
                ('cost', models.FloatField(default=0)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='model_answers', to='corpora.study')),
                ('counted', models.BooleanField(db_default=False, default=False)),
                ('guessed', models.PositiveIntegerField(db_default=0, default=0)),
                ('job', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='model_answers', to='jobs.job')),
                ('service', models.CharField(blank=True, db_default='', max_length=400)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('job', 'digest'), name='one_answer_a_prompt_of_a_job'), models.UniqueConstraint(condition=models.Q(('job', None)), fields=('study', 'digest'), name='one_answer_a_prompt_of_no_job')],
                'indexes': [models.Index(fields=['study', 'digest'], name='answers_by_prompt')],
            },
        ),
        migrations.AddField(
            model_name='transferrun',
            name='training',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='transfer_runs', to='modelserving.trainingrun'),
        ),
        migrations.AddField(
            model_name='trainingrun',
            name='notes',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='trainingrun',
            name='tags',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=30), blank=True, db_default=[], default=list, size=None),
        ),
    ]

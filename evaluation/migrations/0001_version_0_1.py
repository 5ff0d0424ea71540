import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('evaluation', name) for name in (
        '0001_initial', '0002_judging', '0003_open_studies_withhold', '0004_report_split', '0005_human_systems',
    )]

    initial = True

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('annotation', '0001_version_0_1'),
        ('corpora', '0001_version_0_1'),
        ('jobs', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='MetricRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='metric_run', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='metric_runs', to='corpora.study')),
            ],
            options={
                'ordering': ['-job__made_at'],
            },
        ),
        migrations.CreateModel(
            name='RatingsImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('format', models.CharField(max_length=60)),
                ('file_name', models.CharField(max_length=300)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='ratings_imports', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='one_ratings_import_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Report',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(blank=True, max_length=64)),
                ('text', models.TextField()),
                ('made_at', models.DateTimeField()),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='report', to='corpora.study')),
                ('tables', models.TextField(db_default='{}', default='{}')),
                ('made_from', models.JSONField(db_default={}, default=dict)),
            ],
        ),
        migrations.CreateModel(
            name='MetricChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('metric', models.CharField(max_length=60)),
                ('settings', models.JSONField(default=dict)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='metric_choices', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'metric'), name='one_choice_a_metric')],
            },
        ),
        migrations.CreateModel(
            name='MetricScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('metric', models.CharField(max_length=60)),
                ('key', models.CharField(max_length=64)),
                ('signature', models.CharField(max_length=600)),
                ('corpus', models.FloatField(null=True)),
                ('details', models.JSONField(default=dict)),
                ('sentence_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), size=None)),
                ('sentences', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), size=None)),
                ('packed', models.BinaryField(default=b'')),
                ('width', models.PositiveSmallIntegerField(default=0)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='metric_scores', to='corpora.system')),
                ('undefined', models.CharField(blank=True, db_default='', default='', max_length=300)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('system', 'metric'), name='one_score_a_system_and_metric')],
            },
        ),
        migrations.CreateModel(
            name='ReportChoice',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('alpha', models.FloatField(default=0.05)),
                ('correction', models.CharField(default='holm', max_length=30)),
                ('variant', models.CharField(default='raw', max_length=10)),
                ('baseline', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='corpora.system')),
                ('study', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='report_choice', to='corpora.study')),
                ('split', models.CharField(blank=True, db_default='', default='', max_length=10)),
                ('human_systems', models.BooleanField(db_default=False, default=False)),
            ],
        ),
        migrations.CreateModel(
            name='BaselineScore',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('metric', models.CharField(max_length=60)),
                ('key', models.CharField(max_length=64)),
                ('signature', models.CharField(max_length=600)),
                ('corpus', models.FloatField(null=True)),
                ('undefined', models.CharField(blank=True, db_default='', default='', max_length=300)),
                ('details', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('baseline', models.CharField(db_column='foil', max_length=60)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='baseline_scores', to='corpora.study')),
            ],
            options={
                'db_table': 'evaluation_foilscore',
                'constraints': [models.UniqueConstraint(fields=('study', 'baseline', 'metric'), name='one_score_a_baseline_and_metric')],
            },
        ),
        migrations.CreateModel(
            name='HumanStudy',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('open', 'Open'), ('closed', 'Closed')], default='draft', max_length=10)),
                ('splits', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=5), blank=True, default=list, size=None)),
                ('rate_source', models.BooleanField(default=False)),
                ('rate_reference', models.BooleanField(default=False)),
                ('sampling', models.CharField(choices=[('all', 'All sentences'), ('random', 'A random sample'), ('length', 'A random sample, even over lengths')], default='all', max_length=10)),
                ('size', models.PositiveIntegerField(default=0)),
                ('seed', models.IntegerField(default=1)),
                ('criteria', models.JSONField(default=dict)),
                ('ranks', models.BooleanField(default=False)),
                ('best_worst', models.BooleanField(default=False)),
                ('judgements', models.PositiveSmallIntegerField(default=3)),
                ('outputs_per_item', models.PositiveSmallIntegerField(default=0)),
                ('crew', models.JSONField(default=dict)),
                ('costs', models.JSONField(default=dict)),
                ('controls', models.JSONField(default=dict)),
                ('use_controls', models.BooleanField(default=False)),
                ('exclusions', models.JSONField(default=dict)),
                ('comparison', models.JSONField(default=dict)),
                ('guideline', models.TextField(blank=True)),
                ('sentence_ids', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), blank=True, default=list, size=None)),
                ('control_texts', models.JSONField(blank=True, default=list)),
                ('frozen', models.JSONField(null=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('opened_at', models.DateTimeField(null=True)),
                ('closed_at', models.DateTimeField(null=True)),
                ('campaigns', models.ManyToManyField(blank=True, related_name='human_studies', to='annotation.campaign')),
                ('direction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='corpora.direction')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='human_studies', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='human_studies', to='corpora.study')),
                ('systems', models.ManyToManyField(blank=True, related_name='human_studies', to='corpora.system')),
                ('shows_comparison', models.BooleanField(db_default=False, default=False)),
                ('excluded', models.JSONField(blank=True, db_default=[], default=list)),
            ],
            options={
                'verbose_name_plural': 'human studies',
                'ordering': ['made_at', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('study', 'slug'), name='one_human_study_a_slug')],
            },
        ),
        migrations.CreateModel(
            name='Judgement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text_key', models.TextField()),
                ('worker', models.CharField(max_length=100)),
                ('value', models.FloatField()),
                ('seconds', models.FloatField(null=True)),
                ('criterion', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='annotation.criterion')),
                ('sentence', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='corpora.sentence')),
                ('ratings_import', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='evaluation.ratingsimport')),
            ],
            options={
                'indexes': [models.Index(fields=['ratings_import', 'criterion'], name='judgement_of_criterion')],
            },
        ),
    ]

import django.contrib.postgres.fields
import django.db.models.deletion
import uuid
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('modelserving', name) for name in (
        '0001_initial', '0002_models', '0003_tune_score',
    )]

    initial = True

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('corpora', '0001_version_0_1'),
        ('jobs', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='TrainingRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.UUIDField(default=uuid.uuid4, editable=False, unique=True)),
                ('name', models.CharField(max_length=100)),
                ('model', models.CharField(max_length=60)),
                ('options', models.JSONField(default=dict)),
                ('seed', models.PositiveIntegerField(default=1)),
                ('styles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=2)),
                ('device', models.CharField(choices=[('auto', 'GPU where there is one'), ('cpu', 'CPU'), ('cuda', 'GPU')], default='auto', max_length=10)),
                ('device_used', models.CharField(blank=True, max_length=100)),
                ('data', models.FileField(blank=True, max_length=200, upload_to='')),
                ('data_digest', models.CharField(blank=True, max_length=64)),
                ('counts', models.JSONField(default=dict)),
                ('samples', models.JSONField(default=list)),
                ('best', models.JSONField(null=True)),
                ('kept', models.PositiveIntegerField(default=0)),
                ('seconds', models.FloatField(default=0)),
                ('direction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='trainings', to='corpora.direction')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='training_run', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trainings', to='corpora.study')),
            ],
            options={
                'ordering': ['-pk'],
                'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='one_training_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Checkpoint',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(choices=[('best', 'Best'), ('last', 'Last'), ('imported', 'Imported')], max_length=10)),
                ('model', models.CharField(max_length=60)),
                ('name', models.CharField(max_length=120)),
                ('file', models.FileField(max_length=200, upload_to='')),
                ('sha256', models.CharField(max_length=64)),
                ('size', models.PositiveBigIntegerField()),
                ('manifest', models.JSONField()),
                ('made_at', models.DateTimeField()),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='checkpoints', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='corpora.study')),
                ('run', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='checkpoints', to='modelserving.trainingrun')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.UniqueConstraint(fields=('run', 'kind'), name='one_checkpoint_a_kind')],
            },
        ),
        migrations.CreateModel(
            name='TrainingCurve',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('steps', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('values', django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), default=list, size=None)),
                ('stride', models.PositiveIntegerField(default=1)),
                ('run', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='curves', to='modelserving.trainingrun')),
                ('better', models.CharField(blank=True, choices=[('higher', 'higher is better'), ('lower', 'lower is better')], db_default='', default='', max_length=6)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('run', 'name'), name='one_curve_a_name')],
            },
        ),
        migrations.CreateModel(
            name='TransferRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('model', models.CharField(max_length=60)),
                ('settings', models.JSONField(default=dict)),
                ('direction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, to='corpora.direction')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='transfer_run', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='transfer_runs', to='corpora.study')),
                ('system', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='transfer_run', to='corpora.system')),
                ('file', models.FileField(blank=True, db_default='', default='', max_length=200, upload_to='')),
                ('file_name', models.CharField(blank=True, db_default='', default='', max_length=200)),
                ('result', models.FileField(blank=True, db_default='', default='', max_length=200, upload_to='')),
                ('signature', models.TextField(blank=True, db_default='', default='')),
                ('split', models.CharField(blank=True, choices=[('', 'All'), ('train', 'Train'), ('tune', 'Tune'), ('test', 'Test')], db_default='', default='', max_length=5)),
                ('checkpoint', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='transfer_runs', to='modelserving.checkpoint')),
            ],
            options={
                'ordering': ['-job__made_at'],
            },
        ),
    ]

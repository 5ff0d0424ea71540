import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpora', '0002_version_0_2'),
        ('modelserving', '0003_prompts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='trainingrun',
            name='combination',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.CreateModel(
            name='Sweep',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=90)),
                ('model', models.CharField(max_length=60)),
                ('options', models.JSONField(default=dict)),
                ('preset', models.CharField(blank=True, max_length=60)),
                ('vary', models.JSONField(default=dict)),
                ('search', models.CharField(choices=[('random', 'Random search'), ('grid', 'Grid search')], default='random', max_length=10)),
                ('at_most', models.PositiveSmallIntegerField()),
                ('seed', models.PositiveIntegerField(default=1)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('direction', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sweeps', to='corpora.direction')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='sweeps', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sweeps', to='corpora.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='trainingrun',
            name='sweep',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='trainings', to='modelserving.sweep'),
        ),
        migrations.AddConstraint(
            model_name='sweep',
            constraint=models.UniqueConstraint(fields=('study', 'name'), name='one_sweep_a_name'),
        ),
    ]

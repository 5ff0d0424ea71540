import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpora', '0004_removal_of_imported_scores'),
        ('evaluation', '0005_link_to_a_whole_report'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportedMetric',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=50)),
                ('version', models.CharField(blank=True, max_length=100)),
                ('signature', models.CharField(blank=True, max_length=400)),
                ('higher_is_better', models.BooleanField(null=True)),
                ('file_name', models.CharField(max_length=300)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('changed_at', models.DateTimeField(auto_now=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_metrics', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='one_imported_metric_a_number'), models.UniqueConstraint(fields=('study', 'name'), name='one_imported_metric_a_name')],
            },
        ),
    ]

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


# Settings that stood at what is right for English stand at what the study's language decides; of English it is the same.
WERE = {"tokenize": "13a", "tokens": "ascii"}


def decide_by_language(apps, schema_editor):
    rows = apps.get_model("evaluation", "MetricChoice").objects.using(schema_editor.connection.alias)
    for choice in rows.iterator():
        settings = {key: "language" if WERE.get(key) == value else value for key, value in choice.settings.items()}
        if settings != choice.settings:
            choice.settings = settings
            choice.save(update_fields=["settings"])


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = (
        "An old worker says that it does not know the value of a setting, and a new one computes the score."
    )

    replaces = [('evaluation', name) for name in (
        '0006_public_links', '0007_judgements_of_systems', '0008_language_decides_words',
        '0009_averaging_and_joint_scores', '0010_what_is_known_of_raters',
    )]

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('annotation', '0002_version_0_2'),
        ('corpora', '0002_version_0_2'),
        ('evaluation', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='PublicLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('page', models.CharField(choices=[('leaderboard', 'Leaderboard'), ('trust', 'Which metric to trust'), ('release', 'Release')], max_length=12)),
                ('with_texts', models.BooleanField(db_default=False, default=False)),
                ('prefix', models.CharField(max_length=8)),
                ('digest', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('revoked_at', models.DateTimeField(null=True)),
                ('last_used_at', models.DateTimeField(null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='public_links_made', to=settings.AUTH_USER_MODEL)),
                ('release', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='public_links', to='annotation.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='public_links', to='corpora.study')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('page', 'release'), ('release__isnull', False)), models.Q(models.Q(('page', 'release'), _negated=True), ('release__isnull', True)), _connector='OR'), name='release_of_a_public_link')],
            },
        ),
        migrations.AddField(
            model_name='judgement',
            name='system',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='judgements', to='corpora.system'),
        ),
        migrations.AddField(
            model_name='reportchoice',
            name='averaging',
            field=models.CharField(db_default='sentence', default='sentence', max_length=10),
        ),
        migrations.AddField(
            model_name='reportchoice',
            name='joint',
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.CreateModel(
            name='RaterTraits',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('worker', models.CharField(max_length=100)),
                ('traits', models.JSONField(default=dict)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='rater_traits', to='corpora.study')),
            ],
            options={
                'ordering': ['worker'],
                'constraints': [models.UniqueConstraint(fields=('study', 'worker'), name='traits_once_a_rater')],
            },
        ),
        migrations.RunPython(decide_by_language, migrations.RunPython.noop),
    ]

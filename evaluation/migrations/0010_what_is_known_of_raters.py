import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('corpora', '0011_study_style_descriptions'),
        ('evaluation', '0009_averaging_and_joint_scores'),
    ]

    operations = [
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
    ]

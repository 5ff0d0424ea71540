from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('corpora', name) for name in (
        '0008_left_files', '0009_removal_kind_labels', '0010_study_language', '0011_study_style_descriptions',
        '0012_decided_flags',
    )]

    dependencies = [
        ('corpora', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='LeftFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=300, unique=True)),
                ('left_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.AlterField(
            model_name='removal',
            name='kind',
            field=models.CharField(choices=[('study', 'Study'), ('direction', 'Direction'), ('sources', 'Sources'), ('references', 'References'), ('system', 'System'), ('campaign', 'Campaign'), ('document', 'Document'), ('ratings', 'Imported judgements'), ('human_study', 'Human study'), ('training', 'Training'), ('checkpoint', 'Checkpoint')], max_length=15),
        ),
        migrations.AddField(
            model_name='study',
            name='language',
            field=models.CharField(blank=True, db_default='', default='', max_length=35),
        ),
        migrations.AddField(
            model_name='study',
            name='style_descriptions',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='documentsentence',
            name='decided_at',
            field=models.DateTimeField(null=True),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [('modelserving', '0002_version_0_2')]

    operations = [
        migrations.AddField(
            model_name='modelanswer',
            name='cached',
            field=models.PositiveIntegerField(db_default=0, default=0),
        ),
        migrations.AddField(
            model_name='modelanswer',
            name='left_out',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.AddField(
            model_name='trainingrun',
            name='silver',
            field=models.JSONField(blank=True, db_default={}, default=dict),
        ),
    ]

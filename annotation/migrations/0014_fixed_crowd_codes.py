from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "The constraint forbids less than the one that it replaces."

    dependencies = [
        ('annotation', '0013_attempts'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='crowdparticipant',
            name='one_entrant_a_code',
        ),
        migrations.AddField(
            model_name='crowdparticipant',
            name='has_fixed_code',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='crowdparticipant',
            name='reason',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='recruitmentlink',
            name='completion_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddField(
            model_name='recruitmentlink',
            name='screen_out_code',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
        migrations.AddConstraint(
            model_name='crowdparticipant',
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), ('has_fixed_code', False)), fields=('code',), name='one_entrant_a_code'),
        ),
    ]

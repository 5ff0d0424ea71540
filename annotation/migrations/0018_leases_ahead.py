from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "It leases nothing ahead, and to its own leases the constraint is the same."

    dependencies = [
        ('annotation', '0017_campaign_examples_campaign_submits_at_once'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint(
            model_name='assignment',
            name='one_lease_a_person_and_campaign',
        ),
        migrations.AddField(
            model_name='assignment',
            name='ahead',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='campaign',
            name='prefetch',
            field=models.PositiveSmallIntegerField(db_default=0, default=0),
        ),
        migrations.AddIndex(
            model_name='assignment',
            index=models.Index(condition=models.Q(('ahead', True), ('state', 1)), fields=['campaign', 'annotator'], name='slot_ahead'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('ahead', False), ('state', 1)), fields=('campaign', 'annotator'), name='one_lease_a_person_and_campaign'),
        ),
    ]

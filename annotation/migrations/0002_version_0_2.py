import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# An order is mixed where control items are.
MIXED = "UPDATE annotation_campaign SET mixed = true WHERE control_every > 0"

# Who was here before is known by their browsers, too.
CAME = """
INSERT INTO annotation_deviceuse (study_id, person_id, device, address, agent, visits, first_at, last_at)
SELECT c.study_id, e.person_id, e.browser, '', '', 1, min(e.entered_at), max(e.entered_at)
FROM annotation_entrant e JOIN annotation_entrance n ON n.id = e.entrance_id
JOIN annotation_campaign c ON c.id = n.campaign_id
WHERE e.browser <> '' GROUP BY c.study_id, e.person_id, e.browser;
UPDATE annotation_seat s SET apart = k.people
FROM (SELECT own.study_id, own.person_id, array_agg(DISTINCT theirs.person_id)::int[] AS people
      FROM annotation_deviceuse own
      JOIN annotation_deviceuse theirs ON theirs.study_id = own.study_id AND theirs.device = own.device
                                      AND theirs.person_id <> own.person_id
      GROUP BY own.study_id, own.person_id) k, annotation_campaign c
WHERE c.id = s.campaign_id AND c.study_id = k.study_id AND s.person_id = k.person_id;
"""


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = (
        "It fills columns and a table that the old version does not know, and its constraints forbid less "
        "than those that they replace."
    )

    replaces = [('annotation', name) for name in (
        '0007_mixed_orders', '0008_devices', '0009_writers_of_drafts', '0010_campaign_membership',
        '0011_assignment', '0012_crowd_participants', '0013_attempts', '0014_fixed_crowd_codes',
        '0015_daily_goal', '0016_explanations', '0017_campaign_examples_campaign_submits_at_once',
        '0018_leases_ahead', '0019_running_sums', '0020_answers_lock_no_campaign', '0021_own_scales',
        '0022_seconds_of_a_draft',
    )]

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('annotation', '0001_version_0_1'),
        ('corpora', '0002_version_0_2'),
    ]

    operations = [
        migrations.AddField(
            model_name='campaign',
            name='mixed',
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='apart',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None),
        ),
        migrations.CreateModel(
            name='DeviceUse',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('device', models.CharField(max_length=64)),
                ('address', models.CharField(blank=True, max_length=16)),
                ('agent', models.CharField(blank=True, max_length=16)),
                ('visits', models.PositiveIntegerField(default=1)),
                ('first_at', models.DateTimeField(auto_now_add=True)),
                ('last_at', models.DateTimeField(auto_now_add=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='device_uses', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='device_uses', to='corpora.study')),
            ],
            options={
                'ordering': ['first_at', 'pk'],
                'indexes': [models.Index(fields=['study', 'device'], name='use_of_device'), models.Index(fields=['study', 'address', 'agent'], name='use_of_address')],
                'constraints': [models.UniqueConstraint(fields=('study', 'person', 'device', 'address', 'agent'), name='one_use_of_a_device')],
            },
        ),
        migrations.AddField(
            model_name='draft',
            name='writer',
            field=models.CharField(blank=True, db_default='', default='', max_length=40),
        ),
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
            constraint=models.UniqueConstraint(condition=models.Q(models.Q(('code', ''), _negated=True), ('has_fixed_code', False)), fields=('code',), name='one_participant_a_code'),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='goal',
            field=models.PositiveSmallIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='item',
            name='explanation',
            field=models.TextField(blank=True, db_default='', default=''),
        ),
        migrations.AddField(
            model_name='campaign',
            name='examples',
            field=models.JSONField(blank=True, db_default=[], default=list),
        ),
        migrations.AddField(
            model_name='campaign',
            name='submits_at_once',
            field=models.BooleanField(db_default=False, default=False),
        ),
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
            index=models.Index(condition=models.Q(('ahead', True), ('state', 1)), fields=['campaign', 'annotator'], name='assignment_ahead'),
        ),
        migrations.AddConstraint(
            model_name='assignment',
            constraint=models.UniqueConstraint(condition=models.Q(('ahead', False), ('state', 1)), fields=('campaign', 'annotator'), name='one_lease_a_person_and_campaign'),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='recent_seconds',
            field=django.contrib.postgres.fields.ArrayField(base_field=models.FloatField(), db_default=[], default=list, size=None),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='paid_seconds',
            field=models.FloatField(db_default=0.0, default=0.0),
        ),
        migrations.AddField(
            model_name='campaignmembership',
            name='summed_done',
            field=models.PositiveIntegerField(null=True),
        ),
        migrations.AlterField(
            model_name='answer',
            name='campaign',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.campaign'),
        ),
        migrations.AlterField(
            model_name='answer',
            name='item',
            field=models.ForeignKey(db_constraint=False, db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.item'),
        ),
        migrations.AlterField(
            model_name='criterion',
            name='scale',
            field=models.CharField(max_length=1000),
        ),
        migrations.CreateModel(
            name='StudyScale',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('line', models.CharField(max_length=1000)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='scales', to='corpora.study')),
            ],
            options={
                'ordering': ['name'],
                'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='one_scale_a_name')],
            },
        ),
        migrations.AddField(
            model_name='draft',
            name='seconds',
            field=models.FloatField(null=True),
        ),
        migrations.RunSQL(MIXED, migrations.RunSQL.noop),
        migrations.RunSQL(CAME, migrations.RunSQL.noop),
    ]

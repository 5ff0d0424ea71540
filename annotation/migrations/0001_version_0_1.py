import annotation.models.campaign
import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

# A release is never changed and never removed, and only the transaction that makes it writes its files; splits are
# frozen once a release was made of the study.
STAYS = """
CREATE FUNCTION annotation_release_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'A release is never changed and never removed; make a new one.' USING ERRCODE = 'check_violation';
END $$;
CREATE FUNCTION annotation_release_begun() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.made_in := txid_current();
    RETURN NEW;
END $$;
CREATE FUNCTION annotation_release_grows() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE begun bigint;
BEGIN
    IF TG_TABLE_NAME = 'annotation_releasefile' THEN
        SELECT r.made_in INTO begun FROM annotation_release r WHERE r.id = NEW.release_id;
    ELSE
        SELECT r.made_in INTO begun FROM annotation_release r JOIN annotation_releasefile f ON f.release_id = r.id
        WHERE f.id = NEW.file_id;
    END IF;
    IF begun IS DISTINCT FROM txid_current() THEN
        RAISE EXCEPTION 'Nothing is added to a release; make a new one.' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE FUNCTION annotation_release_freezes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE frozen boolean;
BEGIN
    IF TG_TABLE_NAME = 'corpora_document' THEN
        SELECT EXISTS (SELECT 1 FROM annotation_release r WHERE r.study_id = NEW.study_id) INTO frozen;
    ELSE
        SELECT EXISTS (SELECT 1 FROM annotation_release r JOIN corpora_direction d ON d.study_id = r.study_id
                       WHERE d.id = NEW.direction_id) INTO frozen;
    END IF;
    IF frozen THEN
        RAISE EXCEPTION 'The splits are frozen, since a release was made of them.' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER release_begun BEFORE INSERT ON annotation_release
    FOR EACH ROW EXECUTE FUNCTION annotation_release_begun();
CREATE TRIGGER release_stays BEFORE UPDATE OR DELETE ON annotation_release
    FOR EACH ROW EXECUTE FUNCTION annotation_release_stays();
CREATE TRIGGER release_stays BEFORE UPDATE OR DELETE ON annotation_releasefile
    FOR EACH ROW EXECUTE FUNCTION annotation_release_stays();
CREATE TRIGGER release_stays BEFORE UPDATE OR DELETE ON annotation_releasepiece
    FOR EACH ROW EXECUTE FUNCTION annotation_release_stays();
CREATE TRIGGER release_grows BEFORE INSERT ON annotation_releasefile
    FOR EACH ROW EXECUTE FUNCTION annotation_release_grows();
CREATE TRIGGER release_grows BEFORE INSERT ON annotation_releasepiece
    FOR EACH ROW EXECUTE FUNCTION annotation_release_grows();
CREATE TRIGGER release_freezes BEFORE UPDATE OF split ON corpora_sentence
    FOR EACH ROW WHEN (OLD.split IS DISTINCT FROM NEW.split) EXECUTE FUNCTION annotation_release_freezes();
CREATE TRIGGER release_freezes BEFORE UPDATE OF split ON corpora_document
    FOR EACH ROW WHEN (OLD.split IS DISTINCT FROM NEW.split) EXECUTE FUNCTION annotation_release_freezes();
"""
GOES = """
DROP TRIGGER release_freezes ON corpora_document;
DROP TRIGGER release_freezes ON corpora_sentence;
DROP TRIGGER release_grows ON annotation_releasepiece;
DROP TRIGGER release_grows ON annotation_releasefile;
DROP TRIGGER release_stays ON annotation_releasepiece;
DROP TRIGGER release_stays ON annotation_releasefile;
DROP TRIGGER release_stays ON annotation_release;
DROP TRIGGER release_begun ON annotation_release;
DROP FUNCTION annotation_release_freezes(), annotation_release_grows(), annotation_release_begun(),
    annotation_release_stays();
"""


class Migration(migrations.Migration):

    replaces = [('annotation', name) for name in (
        '0001_initial', '0002_gold_data', '0003_releases_stay', '0004_authors_of_items',
        '0005_accepted_at_first', '0006_gold_in_and_back',
    )]

    initial = True

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('corpora', '0001_version_0_1'),
        ('jobs', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='Campaign',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80)),
                ('name', models.CharField(max_length=200)),
                ('task_type', models.CharField(max_length=60)),
                ('settings', models.JSONField(default=dict)),
                ('overlap', models.PositiveSmallIntegerField(default=1)),
                ('lease_minutes', models.PositiveSmallIntegerField(default=60)),
                ('roles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=20), default=annotation.models.campaign.every_role, size=None)),
                ('seed', models.IntegerField(default=1)),
                ('size', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=[('draft', 'Draft'), ('pilot', 'Pilot'), ('open', 'Open'), ('paused', 'Paused'), ('closed', 'Closed')], default='draft', max_length=10)),
                ('guideline_version', models.PositiveSmallIntegerField(default=1)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('direction', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, to='corpora.direction')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='campaigns_made', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='campaigns', to='corpora.study')),
                ('after', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='followers', to='annotation.campaign')),
                ('checks', models.JSONField(default=dict)),
                ('control_every', models.PositiveSmallIntegerField(default=0)),
                ('crew', models.JSONField(default=dict)),
                ('needs_review', models.BooleanField(default=False)),
                ('pay', models.JSONField(default=dict)),
                ('purpose', models.CharField(choices=[('work', 'Work'), ('training', 'Training'), ('qualification', 'Qualification')], default='work', max_length=15)),
                ('reasons', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), blank=True, default=list, size=None)),
                ('splits', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=5), blank=True, default=list, size=None)),
                ('takes', models.CharField(choices=[('accepted', 'Accepted answers'), ('rejected', 'Rejected answers'), ('farthest', 'The rewrite farthest from its source')], default='accepted', max_length=10)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('study', 'slug'), name='one_campaign_a_slug')],
            },
        ),
        migrations.CreateModel(
            name='Criterion',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=60)),
                ('scale', models.CharField(max_length=60)),
                ('aspect', models.CharField(blank=True, max_length=60)),
                ('beside', models.CharField(choices=[('nothing', 'Nothing'), ('source', 'Source'), ('source_and_reference', 'Source And Reference')], default='nothing', max_length=20)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='criteria', to='corpora.study')),
            ],
            options={
                'verbose_name_plural': 'criteria',
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='one_criterion_a_name')],
            },
        ),
        migrations.CreateModel(
            name='ImportedGold',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveIntegerField()),
                ('origin', models.CharField(max_length=200)),
                ('kind', models.CharField(max_length=20)),
                ('entry', models.TextField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='imported_gold', to='corpora.study')),
            ],
            options={
                'ordering': ['place'],
                'constraints': [models.UniqueConstraint(fields=('study', 'place'), name='one_imported_row_a_place')],
            },
        ),
        migrations.CreateModel(
            name='Release',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('changes', models.TextField(blank=True)),
                ('settings', models.JSONField(default=dict)),
                ('guidelines', models.JSONField(default=list)),
                ('counts', models.JSONField(default=dict)),
                ('datasheet', models.TextField()),
                ('license', models.CharField(blank=True, max_length=200)),
                ('key', models.BinaryField(max_length=32)),
                ('digests', models.BinaryField(default=b'')),
                ('made_in', models.BigIntegerField(default=0, editable=False)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='releases_made', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='releases', to='corpora.study')),
            ],
            options={
                'ordering': ['study', 'number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='one_release_a_number')],
            },
        ),
        migrations.CreateModel(
            name='TranslationRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('style', models.CharField(max_length=60)),
                ('source_language', models.CharField(max_length=35)),
                ('target_language', models.CharField(max_length=35)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='translation_run', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='translation_runs', to='corpora.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='GoldImport',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('form', models.CharField(blank=True, max_length=40)),
                ('split', models.CharField(max_length=5)),
                ('tune', models.FloatField(default=0)),
                ('writes', models.BooleanField(default=False)),
                ('found', models.JSONField(null=True)),
                ('brought', models.JSONField(null=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='gold_import', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='gold_imports', to='corpora.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='Guideline',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('text', models.TextField(blank=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='guidelines', to='annotation.campaign')),
            ],
            options={
                'ordering': ['version'],
                'constraints': [models.UniqueConstraint(fields=('campaign', 'version'), name='one_guideline_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Answer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('revision', models.PositiveSmallIntegerField(default=1)),
                ('outcome', models.CharField(choices=[('answered', 'Answered'), ('skipped', 'Skipped'), ('reported', 'Reported')], default='answered', max_length=10)),
                ('late', models.BooleanField(default=False)),
                ('pilot', models.BooleanField(default=False)),
                ('content', models.JSONField()),
                ('order', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), default=list, size=None)),
                ('guideline_version', models.PositiveSmallIntegerField()),
                ('seconds', models.FloatField(null=True)),
                ('key', models.UUIDField(unique=True)),
                ('submitted_at', models.DateTimeField()),
                ('person', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.PROTECT, related_name='answers', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.campaign')),
            ],
            options={
                'ordering': ['submitted_at', 'pk'],
                'indexes': [models.Index(fields=['campaign', 'person', 'submitted_at'], name='answer_of_person')],
                'constraints': [],
            },
        ),
        migrations.CreateModel(
            name='AgreementRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('result', models.JSONField(null=True)),
                ('made_at', models.DateTimeField(null=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_runs', to='annotation.campaign')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='agreement_run', to='jobs.job')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='ReleaseFile',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('media_type', models.CharField(max_length=100)),
                ('size', models.BigIntegerField()),
                ('rows', models.PositiveIntegerField()),
                ('sha256', models.CharField(max_length=64)),
                ('release', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='files', to='annotation.release')),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('release', 'name'), name='one_file_a_name')],
            },
        ),
        migrations.CreateModel(
            name='ReleaseRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('settings', models.JSONField()),
                ('changes', models.TextField(blank=True)),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='release_run', to='jobs.job')),
                ('release', models.OneToOneField(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='run', to='annotation.release')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='release_runs', to='corpora.study')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='AdoptedSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('key', models.CharField(max_length=250)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adopted_sources', to='annotation.campaign')),
                ('sentence', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='adopted', to='corpora.sentence')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='GoldImportPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('gold_import', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='annotation.goldimport')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('gold_import', 'number'), name='one_gold_piece_a_number')],
            },
        ),
        migrations.CreateModel(
            name='CampaignMembership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('position', models.PositiveIntegerField(default=0)),
                ('done', models.PositiveIntegerField(default=0)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='annotation.campaign')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='campaign_memberships', to=settings.AUTH_USER_MODEL)),
                ('accepted', models.PositiveIntegerField(db_default=0, default=0)),
                ('day', models.DateField(null=True)),
                ('guideline_read', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('reason', models.TextField(blank=True, db_default='', default='')),
                ('rejected', models.PositiveIntegerField(db_default=0, default=0)),
                ('rejected_in_row', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('score', models.FloatField(null=True)),
                ('state', models.CharField(choices=[('working', 'Working'), ('paused', 'Paused')], db_default='working', default='working', max_length=10)),
                ('today', models.PositiveIntegerField(db_default=0, default=0)),
                ('attempts', models.PositiveSmallIntegerField(db_column='tries', db_default=0, default=0)),
                ('accepted_at_first', models.PositiveIntegerField(db_default=0, default=0)),
                ('rejected_at_first', models.PositiveIntegerField(db_default=0, default=0)),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('campaign', 'person'), name='one_campaign_membership_a_person')],
                'db_table': 'annotation_seat',
            },
        ),
        migrations.CreateModel(
            name='RecruitmentLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('site', models.CharField(choices=[('prolific', 'Prolific'), ('mturk', 'Mechanical Turk'), ('other', 'Another site')], max_length=10)),
                ('secret', models.CharField(max_length=64, unique=True)),
                ('consent', models.TextField(blank=True)),
                ('is_open', models.BooleanField(default=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recruitment_links', to='annotation.campaign')),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='recruitment_links_made', to=settings.AUTH_USER_MODEL)),
                ('training', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='recruitment_links_before', to='annotation.campaign')),
            ],
            options={
                'ordering': ['made_at', 'pk'],
                'db_table': 'annotation_entrance',
            },
        ),
        migrations.CreateModel(
            name='Item',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='items', to='annotation.campaign')),
                ('sentence', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpora.sentence')),
                ('control', models.BooleanField(db_default=False, default=False)),
                ('document', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpora.document')),
                ('expected', models.JSONField(null=True)),
                ('group', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpora.group')),
                ('parent', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='items_made', to='annotation.answer')),
                ('part', models.PositiveSmallIntegerField(db_default=0, default=0)),
                ('people', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None)),
                ('question', models.ForeignKey(null=True, on_delete=django.db.models.deletion.PROTECT, related_name='items', to='corpora.question')),
                ('settled', models.JSONField(null=True)),
                ('topic', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('withdrawn', models.BooleanField(db_default=False, default=False)),
                ('authors', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None)),
            ],
            options={
                'ordering': ['number'],
                'indexes': [models.Index(condition=models.Q(('control', True)), fields=['campaign'], name='item_control')],
                'constraints': [models.UniqueConstraint(fields=('campaign', 'number'), name='one_item_a_number'), models.UniqueConstraint(condition=models.Q(('parent__isnull', False)), fields=('campaign', 'parent', 'part'), name='one_item_a_product')],
            },
        ),
        migrations.CreateModel(
            name='Review',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('verdict', models.CharField(choices=[('accepted', 'Accepted'), ('fixed', 'Fixed'), ('rejected', 'Rejected'), ('returned', 'Returned'), ('dropped', 'Dropped')], max_length=10)),
                ('comment', models.TextField(blank=True)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reviews', to='annotation.answer')),
                ('reviewer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='reviews', to=settings.AUTH_USER_MODEL)),
                ('content', models.JSONField(null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('replied_at', models.DateTimeField(null=True)),
                ('reply', models.TextField(blank=True)),
            ],
            options={
                'ordering': ['made_at', 'pk'],
            },
        ),
        migrations.CreateModel(
            name='ReleasePiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('file', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='pieces', to='annotation.releasefile')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('file', 'number'), name='one_piece_a_number')],
            },
        ),
        migrations.CreateModel(
            name='AdoptedReference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('people', django.contrib.postgres.fields.ArrayField(base_field=models.BigIntegerField(), default=list, size=None)),
                ('answer', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='adopted_references', to='annotation.answer')),
                ('reference', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='adopted', to='corpora.reference')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='CrowdParticipant',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('external_id', models.CharField(max_length=200)),
                ('session_id', models.CharField(blank=True, max_length=200)),
                ('browser', models.CharField(max_length=64)),
                ('attempts', models.PositiveIntegerField(default=0)),
                ('state', models.CharField(choices=[('entered', 'Entered'), ('consented', 'Consented'), ('declined', 'Declined'), ('finished', 'Finished'), ('screened_out', 'Screened out')], default='entered', max_length=15)),
                ('code', models.CharField(blank=True, max_length=40)),
                ('entered_at', models.DateTimeField(auto_now_add=True)),
                ('consented_at', models.DateTimeField(null=True)),
                ('left_at', models.DateTimeField(null=True)),
                ('recruitment_link', models.ForeignKey(db_column='entrance_id', on_delete=django.db.models.deletion.CASCADE, related_name='participants', to='annotation.recruitmentlink')),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entered', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['entered_at', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('code',), name='one_entrant_a_code'), models.UniqueConstraint(condition=models.Q(('external_id', ''), _negated=True), fields=('recruitment_link', 'external_id'), name='one_participant_an_id')],
                'db_table': 'annotation_entrant',
            },
        ),
        migrations.CreateModel(
            name='Assignment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('position', models.PositiveIntegerField()),
                ('pilot', models.BooleanField(default=False)),
                ('state', models.PositiveSmallIntegerField(choices=[(0, 'Free'), (1, 'Leased'), (2, 'Done'), (3, 'Held'), (4, 'Dropped')], default=0)),
                ('lease', models.UUIDField(null=True)),
                ('leased_at', models.DateTimeField(null=True)),
                ('lease_expires_at', models.DateTimeField(null=True)),
                ('order', django.contrib.postgres.fields.ArrayField(base_field=models.PositiveSmallIntegerField(), default=list, size=None)),
                ('annotator', models.ForeignKey(db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='assignments', to=settings.AUTH_USER_MODEL)),
                ('campaign', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.campaign')),
                ('item', models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='assignments', to='annotation.item')),
                ('barred', django.contrib.postgres.fields.ArrayField(base_field=models.IntegerField(), db_default=[], default=list, size=None)),
                ('topic', models.CharField(blank=True, db_default='', default='', max_length=100)),
            ],
            options={
                'ordering': ['position', 'number'],
                'indexes': [models.Index(condition=models.Q(('state', 0)), fields=['campaign', 'pilot', 'position', 'number'], name='assignment_free'), models.Index(condition=models.Q(('state', 1)), fields=['lease_expires_at'], name='assignment_leased')],
                'constraints': [models.UniqueConstraint(fields=('item', 'pilot', 'number'), name='one_assignment_a_number'), models.UniqueConstraint(fields=('item', 'pilot', 'annotator'), name='one_assignment_a_person'), models.UniqueConstraint(condition=models.Q(('state', 1)), fields=('campaign', 'annotator'), name='one_lease_a_person_and_campaign')],
                'db_table': 'annotation_slot',
            },
        ),
        migrations.CreateModel(
            name='Draft',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveIntegerField()),
                ('content', models.JSONField()),
                ('saved_at', models.DateTimeField(auto_now=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to=settings.AUTH_USER_MODEL)),
                ('assignment', models.ForeignKey(db_column='slot_id', on_delete=django.db.models.deletion.CASCADE, related_name='drafts', to='annotation.assignment')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('assignment', 'person'), name='one_draft_an_assignment_and_person')],
            },
        ),
        migrations.AddField(
            model_name='answer',
            name='item',
            field=models.ForeignKey(db_index=False, on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.item'),
        ),
        migrations.AddField(
            model_name='answer',
            name='assignment',
            field=models.ForeignKey(db_column='slot_id', on_delete=django.db.models.deletion.CASCADE, related_name='answers', to='annotation.assignment'),
        ),
        migrations.AddConstraint(
            model_name='answer',
            constraint=models.UniqueConstraint(fields=('item', 'person', 'pilot', 'revision'), name='one_answer_a_person_and_revision'),
        ),
        migrations.RunSQL(STAYS, GOES),
    ]

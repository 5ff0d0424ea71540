import django.contrib.postgres.fields
import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    replaces = [('corpora', name) for name in (
        '0001_initial', '0002_gold_data', '0003_judging', '0004_held_out_texts', '0005_poles', '0006_removing',
        '0007_tables_on_their_way',
    )]

    initial = True

    dependencies = [
        ('accounts', '0001_version_0_1'),
        ('jobs', '0001_version_0_1'),
    ]

    operations = [
        migrations.CreateModel(
            name='Study',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.SlugField(max_length=80, unique=True)),
                ('title', models.CharField(max_length=300)),
                ('styles', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), size=None)),
                ('license', models.CharField(blank=True, max_length=200)),
                ('description', models.TextField(blank=True)),
                ('declared', models.JSONField(default=dict)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='studies_made', to=settings.AUTH_USER_MODEL)),
                ('required_credentials', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, default=list, size=None)),
                ('restricted', models.BooleanField(default=False)),
                ('template', models.CharField(blank=True, max_length=60)),
                ('terms', models.TextField(blank=True)),
                ('terms_version', models.PositiveSmallIntegerField(default=0)),
                ('style_words', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=60), blank=True, db_default=[], default=list, size=None)),
                ('unit', models.CharField(choices=[('sentence', 'Sentence'), ('document', 'Document')], db_default='sentence', default='sentence', max_length=10)),
                ('poles', models.JSONField(blank=True, db_default={}, default=dict)),
                ('archived_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'studies',
                'ordering': ['title'],
            },
        ),
        migrations.CreateModel(
            name='Direction',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('source_style', models.CharField(max_length=60)),
                ('target_style', models.CharField(max_length=60)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='directions', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'source_style', 'target_style'), name='one_direction_a_pair'), models.UniqueConstraint(fields=('study', 'number'), name='one_direction_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Membership',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('researcher', 'researcher'), ('reviewer', 'reviewer'), ('expert_annotator', 'expert_annotator'), ('crowd_annotator', 'crowd_annotator')], max_length=20)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='memberships', to='corpora.study')),
            ],
            options={
                'ordering': ['person__email'],
                'constraints': [models.UniqueConstraint(fields=('study', 'person'), name='one_membership_a_study')],
            },
        ),
        migrations.CreateModel(
            name='StudyInvitation',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('researcher', 'researcher'), ('reviewer', 'reviewer'), ('expert_annotator', 'expert_annotator'), ('crowd_annotator', 'crowd_annotator')], max_length=20)),
                ('link', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='study_invitation', to='accounts.accesslink')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='invitations', to='corpora.study')),
            ],
        ),
        migrations.CreateModel(
            name='System',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=100)),
                ('is_human', models.BooleanField(default=False)),
                ('allows_missing', models.BooleanField(default=False)),
                ('origin', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='systems_made', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='systems', to='corpora.study')),
                ('family', models.CharField(blank=True, db_default='', default='', max_length=100)),
                ('options', models.JSONField(blank=True, db_default={}, default=dict)),
                ('seed', models.IntegerField(blank=True, null=True)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'name'), name='one_system_a_name')],
            },
        ),
        migrations.CreateModel(
            name='Question',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('code', models.CharField(max_length=60)),
                ('text', models.TextField()),
                ('type', models.CharField(blank=True, max_length=1)),
                ('focus', models.CharField(blank=True, max_length=200)),
                ('kind', models.CharField(blank=True, max_length=100)),
                ('topic', models.CharField(blank=True, max_length=100)),
                ('chosen', models.BooleanField(null=True)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='questions', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'code'), name='one_question_a_code')],
            },
        ),
        migrations.CreateModel(
            name='SectionElement',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('style', models.CharField(max_length=60)),
                ('section', models.CharField(max_length=200)),
                ('element', models.CharField(max_length=100)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='section_elements', to='corpora.study')),
            ],
            options={
                'ordering': ['element', 'style', 'section'],
                'constraints': [models.UniqueConstraint(fields=('study', 'style', 'section'), name='one_element_a_section')],
            },
        ),
        migrations.CreateModel(
            name='TermsAcceptance',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('version', models.PositiveSmallIntegerField()),
                ('accepted_at', models.DateTimeField(auto_now_add=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='terms_accepted', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='terms_accepted', to='corpora.study')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('study', 'person', 'version'), name='one_acceptance_a_version')],
            },
        ),
        migrations.CreateModel(
            name='Upload',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=200)),
                ('format', models.CharField(blank=True, max_length=40)),
                ('style', models.CharField(blank=True, max_length=60)),
                ('encoding', models.CharField(blank=True, max_length=40)),
                ('options', models.JSONField(default=dict)),
                ('defaults', models.JSONField(default=dict)),
                ('hold_flagged', models.BooleanField(default=True)),
                ('document_count', models.PositiveIntegerField(null=True)),
                ('sentence_count', models.PositiveIntegerField(null=True)),
                ('held_count', models.PositiveIntegerField(null=True)),
                ('empty_count', models.PositiveIntegerField(null=True)),
                ('job', models.OneToOneField(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='upload', to='jobs.job')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='uploads', to='corpora.study')),
                ('answers', models.JSONField(db_default={}, default=dict)),
                ('changed_at', models.DateTimeField(auto_now=True, null=True)),
                ('made_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('mapping', models.JSONField(null=True)),
                ('reading', models.JSONField(db_default={}, default=dict)),
                ('settings', models.JSONField(db_default={}, default=dict)),
                ('target', models.CharField(blank=True, db_default='', default='', max_length=40)),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='HeldOutText',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('release', models.PositiveSmallIntegerField()),
                ('split', models.CharField(max_length=5)),
                ('key', models.BigIntegerField()),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='held_out', to='corpora.study')),
            ],
            options={
                'ordering': ['study', 'release', 'pk'],
                'indexes': [models.Index(fields=['key'], name='held_out_key')],
            },
        ),
        migrations.CreateModel(
            name='Removal',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('study_slug', models.SlugField(max_length=80)),
                ('kind', models.CharField(choices=[('study', 'Study'), ('direction', 'Direction'), ('sources', 'Sources'), ('references', 'References'), ('system', 'System'), ('campaign', 'Campaign'), ('document', 'Document'), ('ratings', 'Judgements from elsewhere'), ('human_study', 'Human study'), ('training', 'Training'), ('checkpoint', 'Checkpoint')], max_length=15)),
                ('name', models.CharField(max_length=300)),
                ('counts', models.JSONField(default=dict)),
                ('parts', models.JSONField(default=list)),
                ('files', models.JSONField(default=list)),
                ('declared', models.JSONField(default=dict)),
                ('removed_at', models.DateTimeField(auto_now_add=True)),
                ('removed_by', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='removals', to=settings.AUTH_USER_MODEL)),
                ('study', models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name='removals', to='corpora.study')),
            ],
            options={
                'ordering': ['-removed_at', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='ReferenceSet',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('origin', models.CharField(max_length=200)),
                ('made_at', models.DateTimeField(auto_now_add=True)),
                ('direction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reference_sets', to='corpora.direction')),
                ('marks', models.CharField(blank=True, choices=[('', 'None'), ('brackets', 'Full forms of terms in square brackets')], db_default='', default='', max_length=10)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('direction', 'number'), name='one_reference_set_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Document',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('style', models.CharField(max_length=60)),
                ('code', models.CharField(blank=True, max_length=100)),
                ('title', models.CharField(blank=True, max_length=500)),
                ('topic', models.CharField(blank=True, max_length=100)),
                ('domain', models.CharField(blank=True, max_length=100)),
                ('codes', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=40), default=list, size=None)),
                ('split', models.CharField(blank=True, choices=[('train', 'Train'), ('tune', 'Tune'), ('test', 'Test')], max_length=5)),
                ('chosen', models.BooleanField(null=True)),
                ('origin', models.CharField(blank=True, max_length=200)),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='documents', to='corpora.study')),
                ('question', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='documents', to='corpora.question')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='one_document_a_number'), models.UniqueConstraint(condition=models.Q(('code', ''), _negated=True), fields=('study', 'style', 'code'), name='one_document_a_code')],
            },
        ),
        migrations.CreateModel(
            name='SelectionRun',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('wish', models.JSONField()),
                ('split', models.CharField(max_length=5)),
                ('preview', models.BooleanField()),
                ('taken', models.PositiveIntegerField(null=True)),
                ('left', models.JSONField(default=dict)),
                ('direction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='selection_runs', to='corpora.direction')),
                ('job', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='selection_run', to='jobs.job')),
            ],
            options={
                'ordering': ['-pk'],
            },
        ),
        migrations.CreateModel(
            name='UploadPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('upload', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='corpora.upload')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('upload', 'number'), name='one_upload_piece_a_number')],
            },
        ),
        migrations.CreateModel(
            name='RemovalPiece',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('part', models.PositiveSmallIntegerField()),
                ('number', models.PositiveIntegerField()),
                ('data', models.BinaryField()),
                ('removal', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='pieces', to='corpora.removal')),
            ],
            options={
                'ordering': ['part', 'number'],
                'constraints': [models.UniqueConstraint(fields=('removal', 'part', 'number'), name='one_removal_piece_a_number')],
            },
        ),
        migrations.CreateModel(
            name='DocumentLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('source', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links_to', to='corpora.document')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='document_links', to='corpora.study')),
                ('target', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links_from', to='corpora.document')),
            ],
            options={
                'ordering': ['source__number', 'target__number'],
                'constraints': [models.UniqueConstraint(fields=('source', 'target'), name='one_link_a_pair')],
            },
        ),
        migrations.CreateModel(
            name='DocumentSentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('section', models.CharField(blank=True, max_length=200)),
                ('text', models.TextField()),
                ('translation', models.TextField(blank=True)),
                ('flags', models.JSONField(db_default=[], default=list)),
                ('held', models.BooleanField(db_default=False, default=False)),
                ('dropped', models.BooleanField(db_default=False, default=False)),
                ('concepts', models.JSONField(null=True)),
                ('document', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentences', to='corpora.document')),
            ],
            options={
                'ordering': ['document__number', 'number'],
                'indexes': [models.Index(condition=models.Q(('held', True)), fields=['document'], name='sentence_held')],
                'constraints': [models.UniqueConstraint(fields=('document', 'number'), name='one_sentence_a_place')],
            },
        ),
        migrations.CreateModel(
            name='Sentence',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('text', models.TextField()),
                ('split', models.CharField(choices=[('train', 'Train'), ('tune', 'Tune'), ('test', 'Test')], default='test', max_length=5)),
                ('domain', models.CharField(blank=True, max_length=100)),
                ('direction', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='sentences', to='corpora.direction')),
                ('concepts', models.JSONField(null=True)),
                ('origin', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='selected', to='corpora.documentsentence')),
            ],
            options={
                'ordering': ['direction__number', 'number'],
                'constraints': [models.UniqueConstraint(fields=('direction', 'number'), name='one_sentence_a_number')],
            },
        ),
        migrations.CreateModel(
            name='Group',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('element', models.CharField(blank=True, max_length=100)),
                ('source_sections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), default=list, size=None)),
                ('target_sections', django.contrib.postgres.fields.ArrayField(base_field=models.CharField(max_length=200), default=list, size=None)),
                ('sampled', models.BooleanField(default=False)),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='groups', to='corpora.documentlink')),
                ('study', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='groups', to='corpora.study')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('study', 'number'), name='one_group_a_number'), models.UniqueConstraint(fields=('link', 'element'), name='one_group_an_element')],
            },
        ),
        migrations.CreateModel(
            name='Reference',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('set', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='corpora.referenceset')),
                ('sentence', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='references', to='corpora.sentence')),
            ],
            options={
                'ordering': ['set__number', 'sentence__number'],
                'constraints': [models.UniqueConstraint(fields=('set', 'sentence'), name='one_reference_a_sentence')],
            },
        ),
        migrations.CreateModel(
            name='Output',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('text', models.TextField()),
                ('sentence', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='corpora.sentence')),
                ('system', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='outputs', to='corpora.system')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('system', 'sentence'), name='one_output_a_sentence')],
            },
        ),
    ]

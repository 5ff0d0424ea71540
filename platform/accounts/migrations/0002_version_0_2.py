from django.db import migrations, models

# Rows of the audit log are only ever added. In the transaction that erases somebody, parts of three columns may become
# `[erased]`, and nothing else: what is left of a row stands in it as it stood before.
STAYS = """
CREATE FUNCTION accounts_trail_stays() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'The audit trail is never changed.' USING ERRCODE = 'check_violation';
END $$;
CREATE FUNCTION accounts_only_erased(old text, new text) RETURNS boolean LANGUAGE sql IMMUTABLE AS $$
    SELECT old LIKE replace(replace(replace(replace(new, '\\', '\\\\'), '%', '\\%'), '_', '\\_'), '[erased]', '%')
$$;
CREATE FUNCTION accounts_trail_forgets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('restyle.erasing', true) IS DISTINCT FROM 'on'
       OR (OLD.id, OLD.at, OLD.person_id, OLD.study_slug, OLD.kind, OLD.action, OLD.day)
          IS DISTINCT FROM (NEW.id, NEW.at, NEW.person_id, NEW.study_slug, NEW.kind, NEW.action, NEW.day)
       OR NOT accounts_only_erased(OLD.target, NEW.target)
       OR NOT accounts_only_erased(OLD.details::text, NEW.details::text)
       OR NOT accounts_only_erased(OLD.changes::text, NEW.changes::text)
    THEN
        RAISE EXCEPTION 'The audit trail is never changed.' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
END $$;
CREATE TRIGGER trail_forgets BEFORE UPDATE ON accounts_trailentry
    FOR EACH ROW EXECUTE FUNCTION accounts_trail_forgets();
CREATE TRIGGER trail_stays BEFORE DELETE ON accounts_trailentry
    FOR EACH ROW EXECUTE FUNCTION accounts_trail_stays();
CREATE TRIGGER trail_whole BEFORE TRUNCATE ON accounts_trailentry
    FOR EACH STATEMENT EXECUTE FUNCTION accounts_trail_stays();
"""
GOES = """
DROP TRIGGER trail_whole ON accounts_trailentry;
DROP TRIGGER trail_stays ON accounts_trailentry;
DROP TRIGGER trail_forgets ON accounts_trailentry;
DROP FUNCTION accounts_trail_forgets(), accounts_only_erased(text, text), accounts_trail_stays();
"""


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = (
        "The old version only adds rows to the log, without a day; to erase a person it is refused until it "
        "is restarted."
    )

    replaces = [('accounts', name) for name in (
        '0003_trail_of_everything', '0004_trail_stays', '0005_site_key', '0006_interface_language',
    )]

    dependencies = [
        ('accounts', '0001_version_0_1'),
    ]

    operations = [
        migrations.AddField(
            model_name='auditentry',
            name='changes',
            field=models.JSONField(db_default={}, default=dict),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='day',
            field=models.DateField(null=True),
        ),
        migrations.AddField(
            model_name='auditentry',
            name='kind',
            field=models.CharField(choices=[('change', 'Change'), ('sign_in', 'Sign-in'), ('export', 'Export or download'), ('read', 'Texts under terms'), ('token', 'Use of a token')], db_default='change', default='change', max_length=10),
        ),
        migrations.AddIndex(
            model_name='auditentry',
            index=models.Index(fields=['at'], name='audit_at'),
        ),
        migrations.AddConstraint(
            model_name='auditentry',
            constraint=models.UniqueConstraint(condition=models.Q(('day__isnull', False)), fields=('person', 'study_slug', 'action', 'target', 'day'), name='one_row_a_day'),
        ),
        migrations.CreateModel(
            name='SiteKey',
            fields=[
                ('id', models.PositiveSmallIntegerField(default=1, editable=False, primary_key=True, serialize=False)),
                ('digest', models.CharField(max_length=200, verbose_name='digest')),
                ('set_at', models.DateTimeField(auto_now=True, verbose_name='set at')),
            ],
            options={
                'verbose_name': 'digest of the secret key',
                'verbose_name_plural': 'digests of the secret key',
                'constraints': [models.CheckConstraint(condition=models.Q(('id', 1)), name='one_site_key')],
            },
        ),
        migrations.AddField(
            model_name='person',
            name='interface_language',
            field=models.CharField(blank=True, db_default='', default='', max_length=20),
        ),
        migrations.RunSQL(STAYS, GOES),
    ]

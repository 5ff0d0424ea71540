from django.db import migrations

# Rows of the trail are only ever added. In the transaction that erases somebody, parts of three columns may become
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
        "The old version only adds rows too; to erase a person it is refused until it is restarted."
    )

    dependencies = [("accounts", "0003_trail_of_everything")]

    operations = [migrations.RunSQL(STAYS, GOES)]

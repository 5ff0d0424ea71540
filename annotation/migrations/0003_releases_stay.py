from django.db import migrations

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

    dependencies = [("annotation", "0002_gold_data"), ("corpora", "0002_gold_data")]

    operations = [migrations.RunSQL(STAYS, GOES)]

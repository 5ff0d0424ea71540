from django.db import migrations

# Documents that came after a release have no split, and may get one; what has a split keeps it.
ONCE = """
DROP TRIGGER release_freezes ON corpora_document;
CREATE TRIGGER release_freezes BEFORE UPDATE OF split ON corpora_document
    FOR EACH ROW WHEN (OLD.split IS DISTINCT FROM NEW.split AND OLD.split <> '')
    EXECUTE FUNCTION annotation_release_freezes();
"""
NEVER = """
DROP TRIGGER release_freezes ON corpora_document;
CREATE TRIGGER release_freezes BEFORE UPDATE OF split ON corpora_document
    FOR EACH ROW WHEN (OLD.split IS DISTINCT FROM NEW.split) EXECUTE FUNCTION annotation_release_freezes();
"""


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "The trigger forbids less than the one that it replaces."

    dependencies = [("annotation", "0008_answered")]

    operations = [migrations.RunSQL(ONCE, NEVER)]

"""Settings that stood at what is right for English stand at what the study's language decides; of English it is the same."""

from django.db import migrations

WERE = {"tokenize": "13a", "tokens": "ascii"}


def decide_by_language(apps, schema_editor):
    rows = apps.get_model("evaluation", "MetricChoice").objects.all()
    for choice in rows.iterator():
        settings = {key: "language" if WERE.get(key) == value else value for key, value in choice.settings.items()}
        if settings != choice.settings:
            choice.settings = settings
            choice.save(update_fields=["settings"])


class Migration(migrations.Migration):
    safe_while_the_old_version_serves = "an old worker says that it does not know the value, and a new one computes the score"

    dependencies = [("evaluation", "0007_judgements_of_systems")]

    operations = [migrations.RunPython(decide_by_language, migrations.RunPython.noop)]

from typing import Any

from django.db import transaction

from corpora.models import Upload
from corpora.table_import.targets import TARGETS

Chosen = dict[str, str]


@transaction.atomic
def set_table(
    *, upload: Upload, target: str, reading: Chosen, mapping: Chosen | None, settings: Chosen, answers: Chosen,
    by: Any = None,
) -> Upload:  # fmt: skip
    """Keep what was chosen for a table so far. Another target or reading asks for the columns again."""
    TARGETS[target]
    other_columns = _differ(upload.reading, reading, ("part", "delimiter", "header"))
    if target != upload.target or other_columns:
        mapping = None
    if target != upload.target or other_columns or _differ(upload.reading, reading, ("encoding",)):
        answers = {}
    upload.target, upload.reading, upload.mapping = target, reading, mapping
    upload.settings, upload.answers = settings, answers
    upload.save(update_fields=["target", "reading", "mapping", "settings", "answers", "changed_at"])
    return upload


def _differ(before: Chosen, now: Chosen, names: tuple[str, ...]) -> bool:
    return any(before.get(name, "") != now.get(name, "") for name in names)

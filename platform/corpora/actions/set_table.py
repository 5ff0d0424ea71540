from typing import Any

from django.db import transaction

from corpora.models import Upload
from corpora.table_import.import_plan import READING, reading_with
from corpora.table_import.targets import TARGETS

Chosen = dict[str, str]


@transaction.atomic
def set_table(
    *, upload: Upload, target: str, reading: Chosen, mapping: Chosen | None, settings: Chosen, answers: Chosen,
    by: Any = None,
) -> Upload:  # fmt: skip
    """Keep the choices for a table so far. Another target or reading asks for the columns again.

    An answer to a question about how the file is read becomes part of the reading.
    """
    TARGETS[target]
    reading, answers = reading_with(reading, answers)
    otherwise = [name for name in READING if upload.reading.get(name, "") != reading.get(name, "")]
    if target != upload.target or set(otherwise) - {"encoding"}:
        mapping = None
    if target != upload.target or otherwise:
        answers = {}
    upload.target, upload.reading, upload.mapping = target, reading, mapping
    upload.settings, upload.answers = settings, answers
    upload.save(update_fields=["target", "reading", "mapping", "settings", "answers", "changed_at"])
    return upload

"""What a browser names things by, and keys that are known wherever they stand."""

import re
from typing import Any

from django.apps import apps
from django.db import connection

from annotation.blinding import Kind, handle_of

# A key of a room whose keys are marked: ten digits, apart from what is longer or has letters about it.
MARKED = re.compile(r"(?<![0-9a-zA-Z])77\d{8}(?![0-9a-zA-Z])")


def handle(kind: str, key: int, who: Any) -> str:
    """By which `who` names the assignment, answer, review or participant of that key."""
    return handle_of(Kind(kind), key, who.pk)


def mark_keys(*rooms: str) -> None:
    """From here on, until the transaction is rolled back, new rows of these rooms have keys that `MARKED` finds."""
    with connection.cursor() as cursor:
        for model in (model for room in rooms for model in apps.get_app_config(room).get_models()):
            if model._meta.pk.get_internal_type() == "BigAutoField":
                cursor.execute(f'ALTER TABLE "{model._meta.db_table}" ALTER COLUMN id RESTART WITH 7700000001')

"""Somebody who is erased is erased from what was removed, too: it may come back.

The kept rows stand for a moment in temporary tables of the same names, which PostgreSQL finds before the real ones. So
the rooms' own rules of what is forgotten reach them, and there is one set of these rules.
"""

from collections.abc import Callable
from typing import Any

from django.apps import apps
from django.db import connection, transaction
from psycopg import sql

from corpora.models import Removal
from corpora.trash.model_labels import current_label
from corpora.trash.removal import store_part
from corpora.trash.restoration import copy_part_back

# The models whose rows hold words of or about people who work here.
PERSONAL_MODELS = frozenset(
    {
        "jobs.Job",
        "annotation.Answer",
        "annotation.Review",
        "annotation.CampaignMembership",
        "annotation.Draft",
        "annotation.CrowdParticipant",
        "annotation.DeviceUse",
        "evaluation.HumanStudy",
    }
)


@transaction.atomic
def erase_in_trash(erase: Callable[[], Any]) -> None:
    """Do `erase` to the telling rows of every removal."""
    for removal in Removal.objects.select_for_update().order_by("pk"):
        parts = [
            (number, part) for number, part in enumerate(removal.parts)
            if current_label(part["model"]) in PERSONAL_MODELS and part["rows"] and not part.get("link")
        ]  # fmt: skip
        if parts:
            _erase_in_shadow_tables(removal, parts, erase)
            removal.save(update_fields=["parts"])


def _erase_in_shadow_tables(
    removal: Removal, parts: list[tuple[int, dict[str, Any]]], erase: Callable[[], Any]
) -> None:
    with connection.cursor() as cursor:
        tables = [sql.Identifier(apps.get_model(label)._meta.db_table) for label in sorted(PERSONAL_MODELS)]
        for table in tables:  # all of them, or the rule for one would reach the real rows again
            cursor.execute(sql.SQL("CREATE TEMPORARY TABLE {} (LIKE public.{})").format(table, table))
        for number, part in parts:
            copy_part_back(cursor, removal, number, part)
        erase()
        for number, part in parts:
            removal.pieces.filter(part=number).delete()
            about = apps.get_model(current_label(part["model"]))._meta
            columns = sql.SQL(", ").join(map(sql.Identifier, part["columns"]))
            table = sql.Identifier(about.db_table)
            query = sql.SQL("SELECT {} FROM pg_temp.{} ORDER BY {}").format(
                columns, table, sql.Identifier(about.pk.column)
            )
            part["rows"] = store_part(removal, number, query)
        for table in tables:
            cursor.execute(sql.SQL("DROP TABLE pg_temp.{}").format(table))

from typing import Any

from django.core.management.base import BaseCommand
from django.db.migrations.loader import MigrationLoader

from config.management.safe_migrations import REASON, unsafe_migrations
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Say which migrations since the last release are not safe while the version before serves; asks no database."
    requires_system_checks = ()

    def handle(self, **options: Any) -> None:
        if found := unsafe_migrations(MigrationLoader(None)):
            listed = "\n".join(found)
            raise UserError(
                "{listed}\nWhere one is safe all the same, say why in its class: {reason} = '...'.",
                listed=listed,
                reason=REASON,
            )

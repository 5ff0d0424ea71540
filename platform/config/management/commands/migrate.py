from typing import Any

from django.core.management.commands import migrate
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

from accounts.database.applied_migrations import refuse_between_versions


class Command(migrate.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        refuse_between_versions(MigrationRecorder(connections[options["database"]]).applied_migrations())
        super().handle(*args, **options)

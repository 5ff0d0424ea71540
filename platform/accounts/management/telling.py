"""The base of the commands that call actions."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.errors import UserError


class TellingCommand(BaseCommand):
    """A command that prints why an action refused, and fails."""

    def execute(self, *args: Any, **options: Any) -> str | None:
        try:
            return super().execute(*args, **options)
        except UserError as error:
            raise CommandError(str(error)) from error

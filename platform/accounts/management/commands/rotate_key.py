"""A new SECRET_KEY, on purpose."""

from typing import Any

from django.core.management.base import CommandParser

from accounts.actions.rotate_key import rotate_key
from accounts.management.telling import TellingCommand


class Command(TellingCommand):
    help = "Make the SECRET_KEY of this command's environment the site's; then start every process with it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--forget", action="store_true", help="the old key is lost: all sessions, links and leases end"
        )

    def handle(self, *, forget: bool, **options: Any) -> None:
        changed = rotate_key(forget=forget)
        self.stdout.write(
            "The site has a new key. Start its web servers and workers again, with this SECRET_KEY."
            if changed
            else "This is the site's key already."
        )

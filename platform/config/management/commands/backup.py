import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from accounts.audit import log_event
from accounts.models import AuditEntry
from backup.creation import write_backup
from backup.local_file import write_file

READS = "Who reads the file reads all texts, answers, names and addresses; passwords and tokens are digests"
OPENS = f"{READS}, and neither sessions nor second steps are in it."
OPENS_SITE = (
    f"{READS}, and no session is in it. With the secret key and the second steps that are in it they can sign in as "
    "anybody."
)


class Command(BaseCommand):
    help = "Write a backup of the whole site, of one moment, into a file. People work on meanwhile. See docs/backup.md."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", help="the file, which must not be there yet; - is standard output")
        parser.add_argument("--key", action="store_true", help="put the secret key in too")

    def handle(self, *, file: str, key: bool, **options: Any) -> None:
        made = write_backup(sys.stdout.buffer, key=key) if file == "-" else write_file(Path(file), key=key)
        sys.stdout.buffer.flush()
        log_event(None, AuditEntry.Kind.EXPORT, "back_up", details={"key": key, "megabytes": round(made.size / 1e6, 1)})
        size = f"{made.size / 1e6:,.1f} MB"
        self.stderr.write(f"Backed up the site as of {made.at:%Y-%m-%d %H:%M:%S} UTC: {size}, {made.files} files.")
        self.stderr.write(OPENS_SITE if key else OPENS)
        for name in made.lost:
            self.stderr.write(f"Storage has lost the file {name}; it is not in the backup.")

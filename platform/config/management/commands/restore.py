from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from backup.archive import read
from backup.restoration import restore_backup
from backup.verification import check


class Command(BaseCommand):
    help = "Restore a backup into an empty site. Nothing is changed before every byte was held to its checksum."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="what `manage.py backup` wrote")
        parser.add_argument("--check", action="store_true", help="only say whether the file is whole")

    def handle(self, *, file: Path, check: bool, **options: Any) -> None:
        backup = read(file)
        about = backup.about
        what = f"the site as of {str(about.get('made_at'))[:19]} UTC, made by Restyle {str(about.get('restyle'))[:20]}"
        if check:
            self.stdout.write(f"The backup is whole: {what}, {len(backup.files)} files.")
            return
        self._restore(backup, what)

    def _restore(self, backup: Any, what: str) -> None:
        check(backup)
        notes = restore_backup(backup)
        self.stdout.write(f"Restored {what}: {len(backup.files)} files.")
        for name in (*notes, *(f"Storage had lost the file {name} before." for name in backup.about.get("lost", []))):
            self.stdout.write(name)

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from foundation.downloads import write_atomically
from study_file.schema import schema_text


class Command(BaseCommand):
    help = "Print the JSON Schema of study files, by which editors complete and check them."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def handle(self, *, to: Path | None, **options: Any) -> None:
        if to is None:
            self.stdout.write(schema_text(), ending="")
            return
        try:
            write_atomically(to, [schema_text().encode()])
        except OSError as error:
            raise CommandError(f"{to}: The file cannot be written: {error.strerror}.") from error

import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.gold.rewrites import REWRITE_FORMATS, export_rewrites
from corpora.models import Study
from foundation.downloads import write_atomically
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Write the gold rewrites of a study, with their provenance, to a file or to the standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("--format", default="jsonl", help=", ".join(REWRITE_FORMATS))
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def handle(self, *, slug: str, format: str, to: Path | None, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        try:
            chunks = export_rewrites(study, format)
        except UserError as error:
            raise CommandError(str(error)) from error
        if to is None:
            for chunk in chunks:
                sys.stdout.buffer.write(chunk)
            return
        try:
            write_atomically(to, chunks)
        except OSError as error:
            raise CommandError(f"{to}: The file cannot be written: {error.strerror}.") from error

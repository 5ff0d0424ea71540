import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from corpora.models import Study
from foundation.downloads import write_atomically
from foundation.errors import UserError
from study_file.actions.export_study import export_study
from study_file.actions.export_table import export_table
from study_file.study_archive import TABLES, WRITERS


class Command(BaseCommand):
    help = "Write a study as one ZIP file, which apply_study brings back, or one table of its texts or judgements."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("--file", default="", help=f"one table: {', '.join(TABLES)}; all of it where left out")
        parser.add_argument("--format", default="csv", help=f"the form of that table: {', '.join(WRITERS)}")
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def handle(self, *, slug: str, file: str, to: Path | None, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        try:
            chunks = export_table(study=study, file=file, form=options["format"]) if file else export_study(study=study)
        except UserError as error:
            raise CommandError(str(error)) from error
        if to is None:
            sys.stdout.buffer.writelines(chunks)
            return
        try:
            write_atomically(to, chunks)
        except OSError as error:
            raise CommandError(f"{to}: The file cannot be written: {error.strerror}.") from error

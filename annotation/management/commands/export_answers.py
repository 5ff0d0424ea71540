import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.actions.export_answers import export_answers
from annotation.answer_export import EXPORT_FORMATS
from annotation.answer_export.options import NAMES, WHICH
from corpora.models import Study
from foundation.downloads import write_atomically
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Write what people answered in a study, or in one of its campaigns, to a file or to the standard output."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("--campaign", help="its short name; all of the study where left out")
        parser.add_argument("--format", default="jsonl", help=", ".join(EXPORT_FORMATS))
        parser.add_argument("--which", default="all", help=", ".join(WHICH))
        parser.add_argument("--names", default="export", help=", ".join(NAMES))
        parser.add_argument("--flags", action="store_true", help="with what the quality checks found")
        parser.add_argument("--to", type=Path, help="the file; the standard output where left out")

    def handle(self, *, slug: str, campaign: str | None, to: Path | None, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        chosen = study.campaigns.filter(slug=campaign).first() if campaign else None
        if campaign and chosen is None:
            raise CommandError(f"The study has no campaign '{campaign}'.")
        asked = {key: options[key] for key in ("format", "which", "names", "flags")}
        try:
            _asked, chunks = export_answers(study=study, campaign=chosen, options=asked)
        except UserError as error:
            raise CommandError(str(error)) from error
        if to is None:
            sys.stdout.buffer.writelines(chunks)
            return
        try:
            write_atomically(to, chunks)
        except OSError as error:
            raise CommandError(f"{to}: The file cannot be written: {error.strerror}.") from error

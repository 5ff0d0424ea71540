from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.actions.import_gold import counts_of, import_gold
from annotation.background_jobs import import_summary
from annotation.gold.release.settings import gold_formats
from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Read gold that was made elsewhere into a study: a release of this site, or one of the published forms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("file", type=Path, help="the file, a folder or a ZIP archive")
        parser.add_argument("--format", default="", help=f"recognised where left out: {', '.join(gold_formats())}")
        parser.add_argument(
            "--split", default="test", help="the split, where neither the form nor a file's name says it"
        )
        parser.add_argument("--tune", type=float, default=0, help="per cent of the unpaired texts that are to tune on")

    def handle(self, *, slug: str, file: Path, format: str, split: str, tune: float, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        try:
            done = import_gold(study=study, file=TextFile(file, file.name), form=format, split=split, tune=tune)
        except UserError as error:
            raise CommandError(str(error)) from error
        for line in import_summary(counts_of(done), brought=True):
            self.stdout.write(line)

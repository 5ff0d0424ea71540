from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.actions.import_gold import import_gold
from annotation.gold.settings import forms
from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError


class Command(BaseCommand):
    help = "Read gold that was made elsewhere into a study, from a file in one of the published forms."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("file", type=Path, help="the file, or a folder in GYAFC's layout")
        parser.add_argument("--format", required=True, help=", ".join(forms()))
        parser.add_argument("--split", default="test", help="the split, where the form does not say it")

    def handle(self, *, slug: str, file: Path, format: str, split: str, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        if study is None:
            raise CommandError(f"There is no study '{slug}'.")
        try:
            done = import_gold(study=study, file=TextFile(file, file.name), form=format, split=split)
        except UserError as error:
            raise CommandError(str(error)) from error
        said = {True: "Written again it is the same to the byte.", False: "Written again it differs.", None: ""}
        self.stdout.write(f"{done.rows:,} rows of gold were read. {said[done.same]}".rstrip())

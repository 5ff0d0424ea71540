from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.gold.release.downloads import broken_files, release_of
from corpora.models import Study


class Command(BaseCommand):
    help = "Work out the SHA-256 of every file of a release again, and compare it with what was written down."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study's short name")
        parser.add_argument("number", type=int, help="the number of the release")

    def handle(self, *, slug: str, number: int, **options: Any) -> None:
        study = Study.objects.filter(slug=slug).first()
        release = release_of(study, number) if study else None
        if release is None:
            raise CommandError(f"There is no release {number} of a study '{slug}'.")
        broken = broken_files(release)
        if broken:
            raise CommandError(f"These files are not what their checksums say: {', '.join(broken)}.")
        count = release.files.count()
        self.stdout.write(f"All {count} files of release {number} are what their checksums say.")

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.gold.release.downloads import broken_files, release_of
from corpora.management.commands._base import StudyCommand
from corpora.models import Study


class Command(StudyCommand):
    help = "Work out the SHA-256 of every file of a release again, and compare it with what was written down."

    def add_arguments(self, parser: ArgumentParser) -> None:
        super().add_arguments(parser)
        parser.add_argument("number", type=int, help="the number of the release")

    def act(self, study: Study, *, number: int = 0, **options: Any) -> None:
        release = release_of(study, number)
        if release is None:
            raise CommandError(f"There is no release {number} of a study '{study.slug}'.")
        if broken := broken_files(release):
            raise CommandError(f"These files are not what their checksums say: {', '.join(broken)}.")
        self.stdout.write(f"All {release.files.count()} files of release {number} are what their checksums say.")
